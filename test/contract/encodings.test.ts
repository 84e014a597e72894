import { expect, onTestFinished, test } from 'vitest';
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
  expect((await read('/api/inventory?q=100%')).items).toEqual([]);
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

test.each(['9007199254740993', '9007199254740992', '-9007199254740993', '1e300'])(
  'the integer %s in metadata or attributes is refused instead of being stored with other digits',
  async (digits) => {
    const { send } = await open();
    const metadata = order(`"metadata":{"a":[{"order_id":${digits}}]}`);
    expect(await send('/api/orders', metadata)).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
    const item = `{"sku":"T","name":"T","priceUsd":1,"attributes":{"ean":${digits}}}`;
    expect(await send('/api/inventory', item)).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
    const exact = await send('/api/orders', order('"metadata":{"n":9007199254740991,"text":"9007199254740993"}'));
    expect(exact.body.receipt.metadata).toEqual({ n: 9007199254740991, text: '9007199254740993' });
  },
);

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
