import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../graphql/ask.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
let shiftMs = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: () => Date.now() + shiftMs, worker: true });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
  await save({ priceUsd: 3 });
});
afterAll(() => server?.stop());

const save = (item: object) =>
  server.call('POST', '/api/inventory', {
    headers: merchant.auth,
    body: { sku: 'CUP', name: 'A cup', priceUsd: 3, stockQty: -1, ...item },
  });

/** An order of two cups that has ended. */
async function expired(): Promise<string> {
  const body = { items: [{ sku: 'CUP', qty: 2 }], expiresInMinutes: 5, transactionId: 'PO-7' };
  const answer = await server.call('POST', '/api/orders', { headers: merchant.auth, body });
  const id = answer.body.receipt.receiptId;
  await end(id);
  return id;
}

async function end(id: string): Promise<void> {
  shiftMs += 6 * MINUTE_MS;
  await expect.poll(async () => (await read(id)).status, { timeout: 60_000 }).toBe('failed');
}

const READ = `query ($id: ID!) { receipt(receiptId: $id) {
  status totalUsd transactionId lineItems { label qty priceUsd } history { kind tracking } } }`;
const read = async (id: string) => (await ask(server, session, READ, { id })).body.data.receipt;

/** Presses the button of the page: a form, as a browser without script sends it. */
async function press(id: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }, k = '') {
  const url = `${server.url}/portal/${id}/again?recipient=${merchant.wallet}${k && `&k=${k}`}`;
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
  const to = answer.headers.get('location');
  return { status: answer.status, to, text: await answer.text(), id: to?.split('/portal/')[1]?.split('?')[0] ?? null };
}

test('an expired order becomes a new one of the same products at the price of today, once, and each names the other', async () => {
  const old = await expired();
  await save({ priceUsd: 4 });
  const first = await press(old);
  expect(first.status).toBe(303);
  expect(first.id).not.toBe(old);
  expect(await read(first.id!)).toMatchObject({
    status: 'generated',
    totalUsd: 8.04,
    transactionId: 'PO-7',
    lineItems: [{ label: 'A cup', qty: 2, priceUsd: 8 }, { label: 'Tax' }, { label: 'Processing Fee' }],
  });
  expect((await press(old)).id).toBe(first.id);
  const presses = await Promise.all([press(old), press(old)]);
  expect(presses.map(({ id }) => id)).toEqual([first.id, first.id]);
  const sql =
    "select receipt_id, name, detail ->> 'receiptId' as other from receipt_history where name like 'replace%' and merchant = ?";
  const notes = await server.deps.db.orm.em.fork().execute(sql, [merchant.wallet]);
  expect(notes).toEqual(
    expect.arrayContaining([
      { receipt_id: old, name: 'replaced', other: first.id },
      { receipt_id: first.id, name: 'replaces', other: old },
    ]),
  );
  expect(await read(old)).toMatchObject({ status: 'failed', totalUsd: 6.03 });
});

test('what is out of stock, or not sold any more, is not ordered again, and the page says why', async () => {
  const old = await expired();
  await save({ stockQty: 1 });
  expect(await press(old)).toMatchObject({ status: 400, to: null, text: expect.stringContaining('not have enough') });
  await save({ stockQty: 2 });
  expect((await press(old)).status).toBe(303);
  await save({ stockQty: -1 });
});

test('a receipt that is not expired, a guessed address, another site and a shop that wants none get no new order', async () => {
  const body = { items: [{ sku: 'CUP', qty: 1 }] };
  const { receiptId: open } = (await server.call('POST', '/api/orders', { headers: merchant.auth, body })).body.receipt;
  expect((await press(open)).status).toBeGreaterThanOrEqual(400);
  const old = await expired();
  expect((await press(old, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status).toBe(403);
  expect((await press('unknown')).status).toBe(404);
  await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id: 'INV-1', lineItems: [{ label: 'x', priceUsd: 5 }], expiresInMinutes: 5 },
  });
  await end('INV-1');
  expect((await press('INV-1')).status).toBe(403);
  expect((await read('INV-1')).status).toBe('failed');
  const off = 'mutation { updateShopConfig(input: { newRequests: false }) { newRequests } }';
  await ask(server, session, off);
  expect(await press(old)).toMatchObject({ to: null, status: 409 });
  await ask(server, session, off.replace('false', 'true'));
  expect((await press(old)).status).toBe(303);
});
