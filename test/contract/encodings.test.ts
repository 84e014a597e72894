import { on, once } from 'node:events';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { fold } from '../../src/base/core/text.ts';
import { folded, query } from '../../src/base/platform/postgres/query.ts';
import { socketUrl } from '../graphql/ask.ts';
import { startTestServer } from '../support/server.ts';

async function open() {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const save = { sku: 'MUG', name: 'Mug', priceUsd: 10 };
  await server.call('POST', '/api/inventory', { headers: merchant.auth, body: save });
  const send = async (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...merchant.auth, ...headers },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  return { server, merchant, send };
}

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const order = (fields: string) => `{"items":[{"sku":"MUG","qty":1}],${fields}}`;

test('bytes that are no UTF-8 are never stored as replacement characters: 400, and nothing is written', async () => {
  const { server, merchant, send } = await open();
  const bodies: [string, string][] = [
    ['/api/orders', order('"city":"K\xf6ln"')],
    ['/api/orders', order('"metadata":{"note":"caf\xe9"}')],
    ['/api/inventory', '{"sku":"T","name":"caf\xe9","priceUsd":1}'],
    ['/api/graphql', '{"query":"query ($q: String) { inventory(q: $q) { totalCount } }","variables":{"q":"caf\xe9"}}'],
  ];
  for (const [path, text] of bodies)
    expect(await send(path, latin1(text))).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
  const url = `/api/inventory?q=${'caf%E9'}`;
  expect((await server.call('GET', url, { headers: merchant.auth })).status).toBe(400);
  const read = async (path: string) => (await server.call('GET', path, { headers: merchant.auth })).body;
  expect((await read('/api/receipts')).receipts).toEqual([]);
  expect((await read('/api/inventory')).items).toHaveLength(1);
  expect((await read('/api/inventory?q=caf%C3%A9')).items).toEqual([]);
});

test('a query whose percent encoding is broken is 400 on every route, and not another question', async () => {
  const { server, merchant } = await open();
  const paths = [
    'inventory',
    'receipts',
    'receipts/status',
    'users/search',
    'split/transactions',
    'subscriptions/plans',
  ];
  for (const path of [...paths, 'exports/receipts', 'graphql', 'site/config'])
    for (const query of ['q=%zz', 'q=100%', 'q=%4', '%g1=a', 'q=%C3', 'q=%ED%A0%80'])
      expect(await server.call('GET', `/api/${path}?${query}`, { headers: merchant.auth })).toMatchObject({
        status: 400,
        body: { error: 'invalid_input' },
      });
  const read = await server.call('GET', '/api/inventory?q=100%25', { headers: merchant.auth });
  expect(read.body.items).toEqual([]);
});

test('a body of another charset or with a content encoding is 415', async () => {
  const { send } = await open();
  for (const charset of ['iso-8859-1', 'utf-16', '"windows-1252"']) {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    expect(await send('/api/orders', order('"city":"Rom"'), headers)).toMatchObject({ status: 415 });
  }
  const packed = await send('/api/orders', order('"city":"Rom"'), { 'content-encoding': 'gzip' });
  expect(packed).toMatchObject({ status: 415, body: { error: 'unsupported_media_type' } });
  const plain = await send('/api/orders', order('"city":"Köln"'), {
    'content-type': 'application/json; charset=UTF-8',
  });
  expect(plain.status).toBe(200);
});

const ORDER = 'mutation ($input: CreateOrderInput!) { createOrder(input: $input) { receiptId } }';

test.each([
  ...['9007199254740993', '9007199254740992', '-9007199254740993', '1e300', '123456789.123456789123', '1e-400'],
  ...['0.1000000000000000055511151231257827', '-4.9e-325', '1.00000000000000001', '100000000000000000000001e-20'],
])('the number %s in metadata or attributes is refused instead of being stored with other digits', async (digits) => {
  const { server, merchant, send } = await open();
  const session = await server.signIn(merchant.account);
  const refused = { status: 400, body: { error: 'invalid_input' } };
  expect(await send('/api/orders', order(`"metadata":{"a":[{"order_id": ${digits}}]}`))).toMatchObject(refused);
  const item = `{"sku":"T","name":"T","priceUsd":1,"attributes":{"ean":${digits}}}`;
  expect(await send('/api/inventory', item)).toMatchObject(refused);
  const ask = async (document: string, variables = '{}') => {
    const response = await fetch(`${server.url}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...session },
      body: `{"query":${JSON.stringify(document)},"variables":${variables}}`,
    });
    const { errors } = (await response.json()) as { errors?: [{ extensions: { code: string } }] };
    return errors?.[0].extensions.code;
  };
  const save = (type: string, value: string) =>
    `mutation${type} { saveInventoryItem(input: { sku: "T", name: "T", priceUsd: 1, attributes: ${value} }) { id } }`;
  expect(await ask(save('', `{ ean: [${digits}] }`))).toBe('invalid_input');
  expect(await ask(save('($a: JSON)', '$a'), `{"a":{"ean":[${digits}]}}`)).toBe('invalid_input');
  expect(await ask(save('($a: JSON)', '{ ean: $a }'), `{"a":[${digits}]}`)).toBe('invalid_input');
  expect(await ask(save('', '{ ean: 0.1 }'))).toBeUndefined();
  const socket = new WebSocket(socketUrl(server), 'graphql-transport-ws', {
    headers: { cookie: session.cookie!, origin: server.url },
  });
  onTestFinished(() => socket.terminate());
  const messages = on(socket, 'message');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-csrf-token': session['x-csrf-token'] } }));
  await messages.next();
  const place = async (metadata: string) => {
    const variables = `{"input":{"items":[{"item":{"sku":"MUG"},"qty":1}],"metadata":${metadata}}}`;
    socket.send(`{"type":"subscribe","id":"1","payload":{"query":${JSON.stringify(ORDER)},"variables":${variables}}}`);
    const { payload } = JSON.parse(String((await messages.next()).value?.[0]));
    await messages.next();
    return payload;
  };
  const { errors } = await place(`{"order_id":[${digits}]}`);
  expect(errors).toMatchObject([{ extensions: { code: 'invalid_input', field: 'metadata' } }]);
  expect(await place('{"order_id":0.25}')).toEqual({ data: { createOrder: { receiptId: expect.any(String) } } });
});

test('numbers that keep their value come back with it, however they are written', async () => {
  const { send } = await open();
  const kept =
    '{"n":9007199254740991,"a":0.30000000000000004,"b":1.50,"c":15e-1,"d":5e-324,"e":-0.000001234567890123456}';
  const { body } = await send('/api/orders', order(`"metadata":${kept}`));
  expect(body.receipt.metadata).toEqual(JSON.parse(kept));
  const text = await send('/api/orders', order('"metadata":{"text":"9007199254740993","note":": 1e-400"}'));
  expect(text.body.receipt.metadata).toEqual({ text: '9007199254740993', note: ': 1e-400' });
  const long = `"metadata":{"n":1e-400},"note":"${'x'.repeat(70_000)}"`;
  expect(await send('/api/orders', order(long))).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
  // A number of the body that is no part of an object to keep is read as before.
  expect(await send('/api/orders', order('"taxRate":0.10000000000000000555'))).toMatchObject({ status: 200 });
});

test('an Accept header without a media type of GraphQL is 406 in the common form of errors', async () => {
  const { send } = await open();
  const answer = await send('/api/graphql', '{"query":"{ __typename }"}', { accept: 'application/graphql+json' });
  expect(answer).toMatchObject({ status: 406, body: { error: 'not_acceptable', message: expect.any(String) } });
});

test('a product is found by each spelling of a letter, in search, category and tags', async () => {
  const { server, merchant, send } = await open();
  const [nfc, nfd] = ['Café crème', 'Café crème'.normalize('NFD')] as [string, string];
  for (const [sku, name] of Object.entries({ NFC: nfc, NFD: nfd }))
    await send('/api/inventory', JSON.stringify({ sku, name, priceUsd: 1, category: name, tags: [name] }));
  const found = async (query: Record<string, string>) => {
    const search = new URLSearchParams(query);
    const { body } = await server.call('GET', `/api/inventory?${search}`, { headers: merchant.auth });
    return body.items.map(({ sku }: { sku: string }) => sku).sort();
  };
  for (const spelling of [nfc, nfd]) {
    expect(await found({ q: spelling.slice(0, 5).toUpperCase() })).toEqual(['NFC', 'NFD']);
    expect(await found({ category: spelling })).toEqual(['NFC', 'NFD']);
    expect(await found({ tags: spelling })).toEqual(['NFC', 'NFD']);
    expect(await found({ tags: spelling, tagsMode: 'all' })).toEqual(['NFC', 'NFD']);
  }
});

test('a word is found in capitals and in small letters, also where the place in a word changes a letter', async () => {
  const { server, merchant, send } = await open();
  const names = { GREEK: 'ΟΔΟΣ ΣΙΣΥΦΟΣ', SMALL: 'οδος σισυφος', MICRO: '5 µm ſilk', DOTTED: 'İZMİR' };
  for (const [sku, name] of Object.entries(names))
    await send('/api/inventory', JSON.stringify({ sku, name, priceUsd: 1 }));
  const found = async (q: string) => {
    const url = `/api/inventory?${new URLSearchParams({ q })}`;
    const { body } = await server.call('GET', url, { headers: merchant.auth });
    return body.items.map(({ sku }: { sku: string }) => sku).sort();
  };
  for (const q of ['οδος', 'οδοσ', 'ΟΔΟΣ', 'ΟΔΟ', 'σισ', 'ΣΙΣ', 'φος', 'ος σ', 'ΟΣ Σ'])
    expect([q, await found(q)]).toEqual([q, ['GREEK', 'SMALL']]);
  expect([await found('5 μM'), await found('SILK'), await found('izmir')]).toEqual([['MICRO'], ['MICRO'], ['DOTTED']]);
});

test('a statement folds a text as the server does', async () => {
  const { server } = await open();
  const texts = [...letters(), 'ΟΔΟΣ', 'e\u0301Σ', 'İ', 'STRASSE'];
  const each = query(
    'folded-letters',
    (_db, $: { texts: readonly string[] }) =>
      sql<{ folded: string[] }>`select array(select ${folded(sql`t`)} from unnest(${$.texts}::text[])
      with ordinality as u(t, n) order by n) as folded`,
    { computed: { folded: 'text[]' } },
  );
  const [row] = await server.deps.db.run(each, { texts });
  expect(row!.folded).toEqual(texts.map(fold));
});

/** The letters of the scripts that have capitals, of the Unicode version that both know. */
function letters(): string[] {
  const ranges = [
    [0x41, 0x58f],
    [0x10a0, 0x10ff],
    [0x1e00, 0x1fff],
    [0x2100, 0x218f],
    [0xff21, 0xff5a],
  ] as const;
  return ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))
    .filter((letter) => /\p{L}/u.test(letter));
}
