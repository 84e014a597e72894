import { once } from 'node:events';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { paths } from '../../src/client/generated/api.d.ts';
import { createQuittance } from '../../src/client/index.ts';
import { append, history } from '../live/events.ts';
import { makeReceipt } from '../support/receipt.ts';
import { type Served, serveBeside } from '../support/served.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { apolloClient } from './apollo/client.ts';
import { codegenClient } from './codegen/client.ts';
import type { Change, Contact, ShopClient } from './contact.ts';
import { relayClient } from './relay/client.ts';
import { tadaClient } from './tada/client.ts';
import { urqlClient } from './urql/client.ts';

const CLIENTS: readonly (readonly [name: string, create: (contact: Contact) => ShopClient])[] = [
  ['Apollo Client', apolloClient],
  ['urql', urqlClient],
  ['Relay', relayClient],
  ['gql.tada', tadaClient],
  ['the client preset of graphql-codegen', codegenClient],
];

const RECEIPTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Writes what the subscribers of the other server hear, also while that one is dead. */
let writer: TestServer;
/** The server of the clients, a process of its own. */
let served: Served;
let merchant: TestMerchant;
let contact: Contact;

beforeAll(async () => {
  writer = await startTestServer({ redis: true });
  served = await serveBeside(writer, { atEnd: afterAll });
  merchant = await writer.merchant();
  for (const id of RECEIPTS) await makeReceipt(writer, merchant, id);
  const url = `http://127.0.0.1:${served.port}`;
  contact = { url, key: merchant.auth, session: await signIn(url) };
});
afterAll(() => writer.stop());

/** A session of the process, which signs with another secret than the writer. */
async function signIn(url: string): Promise<Record<string, string>> {
  const api = createClient<paths>({ baseUrl: url });
  const wallet = merchant.wallet;
  const { data: challenge } = await api.POST('/api/auth/nonce', { body: { wallet } });
  const { nonce, typedData } = challenge!;
  const signature = await merchant.account.signTypedData(typedData as never);
  const { data, response } = await api.POST('/api/auth/login', { body: { wallet, nonce, signature } });
  const cookie = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  return { cookie: cookie.join('; '), 'x-csrf-token': data!.csrfToken };
}

/** What a stream has sent so far, as `receipt:seq`. */
function listen(
  open: (listener: { next(change: Change | null | undefined): void; error(error: unknown): void }) => () => void,
) {
  const heard: string[] = [];
  const errors: unknown[] = [];
  const close = open({
    next: (change) => void heard.push(change ? `${change.receiptId}:${change.seq}` : 'nothing'),
    error: (error) => void errors.push(error),
  });
  onTestFinished(close);
  return { heard, errors };
}

describe.each(CLIENTS)('%s', (name, create) => {
  test('runs a query with variables, reads a connection to its end, and writes as the admin', async () => {
    const client = create(contact);
    expect(await client.readTotal('c')).toBe(5);
    expect(await client.listReceipts(3)).toEqual(RECEIPTS);
    expect(await client.saveItem({ sku: name, name: `Tea for ${name}`, priceUsd: 5 })).toBe(`Tea for ${name}`);
  });

  test('reads an event stream', async () => {
    const client = create(contact);
    const { heard, errors } = listen((listener) => client.readEvents('0.0', listener));
    await expect.poll(() => heard.slice(0, RECEIPTS.length)).toEqual(RECEIPTS.map((id) => `${id}:1`));
    expect(errors).toEqual([]);
  });
});

test('every client hears each change once and in order over a websocket, though its server is killed meanwhile', async () => {
  const streams = Object.fromEntries(
    CLIENTS.map(([name, create]) => [name, listen((listener) => create(contact).follow('0.0', listener))]),
  );
  const abort = new AbortController();
  const own = createQuittance({ url: contact.url, key: merchant.key }).receipts;
  streams['quittance/client'] = listen(({ next, error }) => {
    void (async () => {
      for await (const change of own.follow({ after: '0.0', signal: abort.signal })) next(change);
    })().catch(error);
    return () => abort.abort();
  });
  const heardByAll = async () => {
    const all = await history(writer.deps.db, merchant.wallet);
    for (const [name, { heard }] of Object.entries(streams))
      await expect.poll(() => heard, { timeout: 60_000, message: name }).toEqual(all);
  };
  const write = async () => {
    for (const id of RECEIPTS) await append(writer.deps.db, writer.deps.bus, merchant.wallet, id, 3);
  };
  await heardByAll();
  await write();
  served.program.child.kill('SIGKILL');
  await Promise.all([once(served.program.child, 'exit'), write()]);
  const [again] = await Promise.all([serveBeside(writer, { port: served.port, atEnd: afterAll }), write()]);
  served = again;
  await write();
  await heardByAll();
  expect(Object.values(streams).flatMap(({ errors }) => errors)).toEqual([]);
}, 240_000);

test('openapi-fetch sells and reads, typed from the document of the API', async () => {
  const shop = createClient<paths>({ baseUrl: contact.url, headers: merchant.auth });
  const saved = await shop.POST('/api/inventory', { body: { sku: 'CUP', name: 'Cup', priceUsd: 7.5 } });
  const price: number | null | undefined = saved.data?.item.priceUsd;
  expect(price).toBe(7.5);

  const ordered = await shop.POST('/api/orders', {
    params: { header: { 'Idempotency-Key': 'cart-17' } },
    body: { items: [{ sku: 'CUP', qty: 2 }], buyerEmail: 'ada@shop.test' },
  });
  const { receiptId = '', totalUsd } = ordered.data?.receipt ?? {};
  expect(totalUsd).toBe(15.08);

  const read = await shop.GET('/api/receipts/{id}', { params: { path: { id: receiptId } } });
  const status: 'generated' | 'pending' | 'paid' | 'completed' | 'refunded' | 'failed' | undefined = read.data?.status;
  expect(status).toBe('generated');
  const listed = await shop.GET('/api/receipts', { params: { query: { limit: 1, sort: 'createdAt' } } });
  expect(listed.data?.receipts.map((receipt) => receipt.receiptId)).toEqual([receiptId]);

  const refused = await shop.POST('/api/orders', { body: { items: [{ sku: 'CUP', qty: 0 }] } });
  expect([refused.response.status, refused.error?.error, refused.error?.field]).toEqual([
    ...[400, 'invalid_input', 'items[0].qty'],
  ]);
  // @ts-expect-error an answer has only what the document says
  expect(read.data?.total).toBeUndefined();
  // @ts-expect-error a path that does not exist
  expect((await shop.GET('/api/receipt')).response.status).toBe(404);
});
