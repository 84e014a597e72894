import { expect, test } from 'vitest';
import { busyMs } from '../support/busy.ts';
import { createDatabase } from '../support/database.ts';
import { openRelay } from '../support/relay.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

/** Every request is answered within this, whatever the database does. */
const PATIENCE_MS = busyMs(2_500);

async function world(): Promise<{
  server: TestServer;
  merchant: TestMerchant;
  relay: Awaited<ReturnType<typeof openRelay>>;
  end(): Promise<void>;
}> {
  const database = await createDatabase();
  const relay = await openRelay(database.databaseUrl);
  const server = await startTestServer({ databaseUrl: relay.url });
  const merchant = await server.merchant();
  await server.call('POST', '/api/inventory', {
    headers: merchant.auth,
    body: { sku: 'A', name: 'A', priceUsd: 100, taxable: true },
  });
  return {
    server,
    merchant,
    relay,
    async end() {
      await server.stop();
      await database.drop();
    },
  };
}

const order = (
  { server, merchant }: { server: TestServer; merchant: TestMerchant },
  headers: Record<string, string> = {},
) =>
  server.call('POST', '/api/orders', {
    headers: { ...merchant.auth, ...headers },
    body: { items: [{ sku: 'A', qty: 1 }], taxRate: 0.095 },
  });

/** The ids of all receipts, once the server lists this many. */
async function idsOnce(
  { server, merchant }: { server: TestServer; merchant: TestMerchant },
  count: number,
): Promise<string[]> {
  let ids: string[] = [];
  await expect
    .poll(
      async () => {
        const { body } = await server.call('GET', '/api/receipts', { headers: merchant.auth });
        ids = body.degraded ? [] : body.receipts.map((receipt: { receiptId: string }) => receipt.receiptId);
        return ids.length;
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(count);
  return ids;
}

// Contract: orders.degraded, errors.degraded
test('POST /api/orders without the database is 200 degraded, priced from the cache, and booked exactly once later', async () => {
  const w = await world();
  const before = await order(w);
  expect(before.body).not.toHaveProperty('degraded');
  await w.relay.cut();

  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, () => order(w)));
  expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      degraded: true,
      reason: 'datastore_unavailable',
      receipt: { totalUsd: 110.05, status: 'generated' },
    });
    expect(Object.keys(body).sort()).toEqual([
      'checkoutToken',
      'degraded',
      'expiresAt',
      'ok',
      'paymentUrl',
      'reason',
      'receipt',
    ]);
    expect(Object.keys(body.receipt)).toEqual(Object.keys(before.body.receipt));
  }

  await w.relay.mend();
  const ids = await idsOnce(w, 21);
  expect(new Set(ids)).toEqual(new Set([before, ...answers].map(({ body }) => body.receipt.receiptId)));
  const { body: after } = await order(w);
  expect(after).not.toHaveProperty('degraded');
  await w.end();
});

test('the same Idempotency-Key identifies the same receipt before, during and after a database outage', async () => {
  const w = await world();
  await order(w);
  const first = await order(w, { 'idempotency-key': 'before' });
  await w.relay.cut();
  const during = await order(w, { 'idempotency-key': 'during' });
  expect(during.body).toMatchObject({ degraded: true });
  const again = await order(w, { 'idempotency-key': 'during' });
  expect(again.body.receipt).toEqual(during.body.receipt);
  const known = await order(w, { 'idempotency-key': 'before' });
  expect(known.body.receipt.receiptId).toBe(first.body.receipt.receiptId);
  const atOnce = await Promise.all([1, 2, 3].map(() => order(w, { 'idempotency-key': 'at once' })));
  expect(new Set(atOnce.map(({ body }) => body.receipt.receiptId)).size).toBe(1);
  await w.relay.mend();
  const after = await Promise.all(['during', 'before', 'at once'].map((key) => order(w, { 'idempotency-key': key })));
  const ids = await idsOnce(w, 4);
  const booked = await Promise.all(['during', 'before', 'at once'].map((key) => order(w, { 'idempotency-key': key })));
  for (const answers of [after, booked])
    expect(answers.map(({ body }) => body.receipt)).toEqual(
      [during, first, atOnce[0]!].map(({ body }) => body.receipt),
    );
  expect(booked.map(({ body }) => body.degraded)).toEqual([undefined, undefined, undefined]);
  const other = await w.server.call('POST', '/api/orders', {
    headers: { ...w.merchant.auth, 'idempotency-key': 'during' },
    body: { items: [{ sku: 'A', qty: 2 }] },
  });
  expect(other).toMatchObject({ status: 400, body: { error: 'invalid_input', field: 'Idempotency-Key' } });
  expect(await idsOnce(w, 4)).toEqual(ids);
  await w.end();
});

test('every request is answered in time while the database hangs', async () => {
  const w = await world();
  await order(w);
  await w.server.call('GET', '/api/receipts', { headers: w.merchant.auth });
  await w.server.call('POST', '/api/inventory', {
    headers: w.merchant.auth,
    body: { sku: 'B', name: 'Never ordered', priceUsd: 1 },
  });
  await order(w);
  w.relay.hang();
  const timed = async (ask: () => Promise<{ status: number; body: unknown }>) => {
    const started = performance.now();
    const answer = await ask();
    return { ...answer, ms: performance.now() - started };
  };
  const [placed, listed, read] = await Promise.all([
    timed(() => order(w)),
    timed(() => w.server.call('GET', '/api/receipts', { headers: w.merchant.auth })),
    timed(() => w.server.call('GET', '/api/shop/config', { headers: w.merchant.auth })),
  ]);
  expect(placed).toMatchObject({ status: 200, body: { degraded: true } });
  expect(listed).toMatchObject({ status: 200, body: { degraded: true, reason: 'datastore_unavailable' } });
  expect(read).toMatchObject({ status: 503, body: { error: 'datastore_unavailable' } });
  const unknown = await timed(() =>
    w.server.call('POST', '/api/orders', { headers: w.merchant.auth, body: { items: [{ sku: 'B', qty: 1 }] } }),
  );
  expect(unknown).toMatchObject({ status: 503, body: { error: 'datastore_unavailable' } });
  for (const { ms } of [placed, listed, read, unknown]) expect(ms).toBeLessThan(PATIENCE_MS);
  await w.relay.cut();
  await w.end();
});

// Contract: receipts.list-degraded
test('GET /api/receipts without the database answers the last known receipts as degraded', async () => {
  const w = await world();
  const placed = await order(w);
  await w.server.call('GET', '/api/receipts', { headers: w.merchant.auth });
  await w.relay.cut();
  const { status, body } = await w.server.call('GET', '/api/receipts', { headers: w.merchant.auth });
  expect(status).toBe(200);
  expect(body).toMatchObject({ degraded: true, reason: 'datastore_unavailable' });
  expect(body.receipts.map((receipt: { receiptId: string }) => receipt.receiptId)).toEqual([
    placed.body.receipt.receiptId,
  ]);
  const other = await w.server.call('GET', '/api/receipts?limit=7', { headers: w.merchant.auth });
  expect(other.body).toEqual({ receipts: [], degraded: true, reason: 'datastore_unavailable' });
  await w.relay.mend();
  await idsOnce(w, 1);
  await w.end();
});

test('what needs the database is refused with a code, and an uncached key is not treated as a wrong key', async () => {
  const w = await world();
  await order(w);
  await w.relay.cut();
  const asks = [
    w.server.call('GET', '/api/inventory', { headers: w.merchant.auth }),
    w.server.call('POST', '/api/receipts', {
      headers: w.merchant.auth,
      body: { id: 'x', lineItems: [{ label: 'a', priceUsd: 1 }] },
    }),
    w.server.call('GET', '/api/receipts', { headers: { 'x-api-key': `qk_${'A'.repeat(43)}` } }),
    w.server.call('POST', '/api/cron/charge-subscriptions', {
      headers: { 'x-cron-secret': w.server.deps.settings.cronSecret },
    }),
  ];
  for (const answer of await Promise.all(asks)) {
    expect(answer).toMatchObject({ status: 503, body: { error: 'datastore_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  const bad = await w.server.call('POST', '/api/orders', { headers: w.merchant.auth, body: { items: [] } });
  expect(bad).toMatchObject({ status: 400, body: { error: 'items_required' } });
  await w.relay.mend();
  await w.end();
});
