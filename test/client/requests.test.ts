import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createQuittance } from '../../src/client/index.ts';
import { makeReceipt } from '../support/receipt.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const client = (options: object = {}) => createQuittance({ url: `${server.url}/`, key: merchant.key, ...options });

/** What a proxy does with a request: passes it on, or answers itself; `lose` passes it on and drops the answer. */
type Fate = 'pass' | 'lose' | 'hang' | { readonly status: number; readonly retryAfter?: string };

/** A proxy before the server that treats each request as the next of `fates` says, and passes on all others. */
async function openProxy(...fates: Fate[]) {
  const seen: { readonly method: string; readonly headers: http.IncomingHttpHeaders; readonly at: number }[] = [];
  const proxy = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', headers } = request;
    seen.push({ method, headers, at: performance.now() });
    const fate = fates.shift() ?? 'pass';
    if (fate === 'hang') return;
    if (typeof fate === 'object') {
      response.writeHead(fate.status, fate.retryAfter === undefined ? {} : { 'retry-after': fate.retryAfter });
      return response.end('<html>');
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers;
    const body = method === 'GET' ? undefined : Buffer.concat(chunks);
    const answer = await fetch(server.url + request.url, { method, headers: passed as Record<string, string>, body });
    const text = await answer.text();
    if (fate === 'lose') return void request.socket.destroy();
    const correlationId = answer.headers.get('x-correlation-id') ?? '';
    response.writeHead(answer.status, { 'x-correlation-id': correlationId }).end(text);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test('the catalog is written, listed to its end, and sold; the receipt is read, and its status', async () => {
  const { catalog, orders, receipts } = client();
  const tea = await catalog.create({ sku: 'TEA', name: 'Green tea', priceUsd: 7.5, stockQty: -1, tags: ['hot'] });
  await catalog.create({ sku: 'MUG', name: 'Mug', priceUsd: 24, stockQty: 3 });
  expect(await catalog.update('TEA', { priceUsd: 8 })).toMatchObject({ id: tea.id, priceUsd: 8, name: 'Green tea' });
  expect((await collect(catalog.list())).map(({ sku }) => sku)).toEqual(['MUG', 'TEA']);
  expect(await collect(catalog.list({ tags: 'hot' }))).toMatchObject([{ sku: 'TEA' }]);

  const order = await orders.create({ items: [{ sku: 'TEA', qty: 2 }], metadata: { cart: 17 } });
  expect(order).toMatchObject({ ok: true, receipt: { totalUsd: 16.08, metadata: { cart: 17 } } });
  const { receiptId } = order.receipt;
  expect(order.paymentUrl).toContain(receiptId);
  expect(await receipts.get(receiptId)).toMatchObject({ receiptId, totalUsd: 16.08, status: 'generated' });
  expect(await receipts.status(receiptId)).toMatchObject({ id: receiptId, status: 'generated' });

  await catalog.delete(tea.id);
  expect((await collect(catalog.list())).map(({ sku }) => sku)).toEqual(['MUG']);
});

test('every receipt is listed once, over several pages, and filters are those of the API', async () => {
  const shop = await server.merchant();
  const ids = Array.from({ length: 401 }, (_, i) => `r-${String(i).padStart(3, '0')}`);
  for (let at = 0; at < ids.length; at += 50)
    await Promise.all(ids.slice(at, at + 50).map((id) => makeReceipt(server, shop, id)));
  const { receipts } = client({ key: shop.key });
  const listed = await collect(receipts.list());
  expect(listed.map(({ receiptId }) => receiptId).sort()).toEqual(ids);
  expect(listed.map(({ createdAt }) => createdAt)).toEqual(
    listed
      .map(({ createdAt }) => createdAt)
      .sort()
      .reverse(),
  );
  expect(await collect(receipts.list({ statuses: ['paid', 'failed'] }))).toEqual([]);
  // A reader that stops reads no further page.
  for await (const { receiptId } of receipts.list()) {
    expect(receiptId).toBe(listed[0]?.receiptId);
    break;
  }
});

test('plans are read with a key and written with a session', async () => {
  const session = client({ key: undefined, headers: async () => server.signIn(merchant.account) }).plans;
  const plan = await session.create({ name: 'Coffee club', priceUsd: 14.5, period: 'MONTHLY' });
  const { plans } = client();
  expect(await plans.list(merchant.wallet)).toEqual([plan]);
  expect(await session.update(plan.planId, { priceUsd: 16 })).toEqual({ ...plan, priceUsd: 16 });
  expect(await session.deactivate(plan.planId)).toMatchObject({ active: false });
  expect(await plans.list(merchant.wallet)).toEqual([]);
  await expect(plans.update(plan.planId, { priceUsd: 1 })).rejects.toMatchObject({
    ...{ code: 'forbidden', status: 403, reason: 'session_required' },
  });
});

test('an error has code, status, field, reason and the correlation id of the answer, over REST and GraphQL', async () => {
  const { orders, receipts, graphql } = client();
  const id = expect.stringMatching(/./);
  await expect(orders.create({ items: [{ sku: 'TEA', qty: 0 }] })).rejects.toMatchObject({
    ...{ name: 'QuittanceError', code: 'invalid_input', status: 400, field: 'items[0].qty', correlationId: id },
  });
  await expect(receipts.get('no/such?receipt')).rejects.toMatchObject({ code: 'not_found', status: 404 });
  await expect(client({ key: 'qk_wrong' }).receipts.get('x')).rejects.toMatchObject({
    code: 'unauthorized',
    status: 401,
  });
  await expect(graphql('{ receipt(receiptId: "none") { status } }', {})).rejects.toMatchObject({
    ...{ code: 'not_found', status: 404, correlationId: id },
  });
  const { key } = await server.merchant({ scopes: ['graphql:read'] });
  await expect(client({ key }).receipts.get('x')).rejects.toMatchObject({
    ...{ code: 'forbidden', reason: 'scope_missing', details: { scope: 'receipts:read' } },
  });
  expect(await graphql<{ receiptsCursor: string }>('{ receiptsCursor }', {})).toMatchObject({ receiptsCursor: id });
});

test('an order whose answer is lost is booked once: its repetition has the same Idempotency-Key', async () => {
  const shop = await server.merchant();
  const { catalog } = client({ key: shop.key });
  await catalog.create({ sku: 'CUP', name: 'Cup', priceUsd: 5 });
  const { url, seen } = await openProxy('lose', { status: 503 }, { status: 429, retryAfter: '0' });
  const { orders, receipts } = createQuittance({ url, key: shop.key });
  const { receipt } = await orders.create({ items: [{ sku: 'CUP', qty: 1 }] });
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect([seen.length, new Set(keys).size, keys[0]]).toEqual([
    4,
    1,
    expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  ]);
  expect((await collect(receipts.list())).map(({ receiptId }) => receiptId)).toEqual([receipt.receiptId]);
  // The key of the caller is kept, so that it can repeat the order itself.
  const again = { idempotencyKey: keys[0] as string };
  expect((await orders.create({ items: [{ sku: 'CUP', qty: 1 }] }, again)).receipt).toEqual(receipt);
});

test('a request that may have changed something is not repeated, unless it was refused as one too many', async () => {
  const plan = { name: 'Coffee club', priceUsd: 14.5, period: 'MONTHLY' } as const;
  const headers = await server.signIn(merchant.account);
  for (const [fate, code] of [
    ['lose', 'unreachable'],
    [{ status: 502 }, 'invalid_answer'],
  ] as const) {
    const { url, seen } = await openProxy(fate);
    await expect(createQuittance({ url, headers }).plans.create(plan)).rejects.toMatchObject({ code });
    expect(seen.length).toBe(1);
  }
  const { url, seen } = await openProxy({ status: 429, retryAfter: '0' });
  await createQuittance({ url, headers }).plans.create(plan);
  expect(seen.length).toBe(2);
});

test('Retry-After is waited for, and a wait that is too long is an error at once', async () => {
  const { url, seen } = await openProxy({ status: 503, retryAfter: '1' });
  await createQuittance({ url, key: merchant.key }).plans.list(merchant.wallet);
  expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(950);
  const closed = await openProxy({ status: 429, retryAfter: '3600' });
  const late = createQuittance({ url: closed.url, key: merchant.key }).plans.list(merchant.wallet);
  await expect(late).rejects.toMatchObject({ code: 'invalid_answer', status: 429 });
  expect(closed.seen.length).toBe(1);
});

test('an answer that does not come is a timeout after the last attempt, and an aborted call ends at once', async () => {
  const { url, seen } = await openProxy('hang', 'hang', 'hang', 'hang');
  let attempts = 0;
  const counted: typeof fetch = (...request) => {
    attempts += 1;
    return fetch(...request);
  };
  const { receipts } = createQuittance({ url, key: merchant.key, timeoutMs: 50, retries: 2, fetch: counted });
  await expect(receipts.status('x')).rejects.toMatchObject({ code: 'timeout', status: null });
  expect(attempts).toBe(3);
  const before = seen.length;
  const abort = new AbortController();
  const waiting = createQuittance({ url, key: merchant.key }).receipts.status('x', { signal: abort.signal });
  await expect.poll(() => seen.length).toBeGreaterThan(before);
  abort.abort(new Error('no longer needed'));
  await expect(waiting).rejects.toThrow('no longer needed');
});

test('a deletion whose answer is lost succeeds: the item is gone', async () => {
  const { catalog } = client();
  const { id } = await catalog.create({ sku: 'GONE', name: 'Gone', priceUsd: 1 });
  const { url } = await openProxy('lose');
  await createQuittance({ url, key: merchant.key }).catalog.delete(id);
  await expect(catalog.delete(id)).rejects.toMatchObject({ code: 'not_found' });
});
