import { expect, test } from 'vitest';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { randomWallet } from '../../src/domain/payments/test/world.ts';
import { writeShop } from '../../src/domain/shop/merchants/test/requests.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { until } from '../support/program.ts';
import { openReceiver } from '../support/receiver.ts';
import { buyerOf } from './buyer-money.ts';
import { stock } from './catalog.ts';
import { openPaidShop } from './paid-shop.ts';

// Receipts that end, or wait, with money of their buyer: a part of the payment, dust, or nothing that arrived here.

const { chain, server, merchant, session, mineUntil } = await openPaidShop({ RATE_LIMITS: 'off' });
await stock(server, merchant, [
  { sku: 'BAG', priceUsd: 80, stockQty: -1 },
  { sku: 'TICKET', priceUsd: 80, stockQty: 1 },
  { sku: 'SEAT', priceUsd: 80, stockQty: 1 },
  { sku: 'GIFT', priceUsd: 80, stockQty: 1 },
]);
await writeShop(server.deps, merchant.wallet, { holdStock: true, lateHours: 24 });
const buyer = buyerOf(server, merchant.wallet, session);
const HOUR_MS = 3_600_000;
const DOLLAR = 1_000_000n;

const order = (sku: string, more: object = {}) =>
  server.call('POST', '/api/orders', { headers: merchant.auth, body: { items: [{ sku, qty: 1 }], ...more } });
async function ordered(sku = 'BAG', more: object = {}): Promise<string> {
  const { status, body } = await order(sku, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.receipt.receiptId;
}

const RECEIPT = `query ($id: ID!) { receipt(receiptId: $id) {
  status recordStatus buyerWallet transactionHash paidAt refundedUsd refundableUsd totalUsd
  failure { code } missing { display } history { kind status tracking } } }`;
async function read(id: string) {
  const { body } = await ask(server, session, RECEIPT, { id });
  expect(body.errors).toBeUndefined();
  return body.data.receipt;
}
const mines = (id: string, is: (receipt: Awaited<ReturnType<typeof read>>) => boolean) =>
  mineUntil(async () => is(await read(id)));
const reaches = (id: string, ...statuses: string[]) => mines(id, ({ status }) => statuses.includes(status));
/** Without further blocks. */
const reachesUnmined = (id: string, status: string) => until(async () => (await read(id)).status === status);
const isNoted = (note: string) => (receipt: Awaited<ReturnType<typeof read>>) =>
  receipt.history.some(({ tracking }: { tracking: string }) => tracking === note);

const voids = async (id: string) => {
  const { body } = await ask(server, session, 'mutation ($id: ID!) { voidReceipt(receiptId: $id) { status } }', { id });
  expect(body.data.voidReceipt).toEqual({ status: 'failed' });
};
/** Moves the end of a receipt into the past; the worker finds it. */
async function endsAgo(id: string, ms: number): Promise<void> {
  await server.deps.db.orm.em
    .fork()
    .getConnection()
    .execute('update receipts set expires_at = ? where id = ?', [Date.now() - ms, id]);
}
const endings: Readonly<Record<string, (id: string) => Promise<void>>> = {
  'that the worker expires': (id) => endsAgo(id, 25 * HOUR_MS),
  'that its merchant voids': voids,
};
const available = async (sku: string): Promise<number> => {
  const { body } = await ask(server, session, '{ inventory { edges { node { sku available } } } }');
  return body.data.inventory.edges.find(({ node }: { node: { sku: string } }) => node.sku === sku).node.available;
};
const attention = async () => (await ask(server, session, '{ attention { receipts } }')).body.data.attention.receipts;
const needing = async (): Promise<string[]> => {
  const query = '{ receipts(filter: { needsAttention: true }) { nodes { receiptId } } }';
  const { nodes } = (await ask(server, session, query)).body.data.receipts;
  return nodes.map(({ receiptId }: { receiptId: string }) => receiptId);
};
const refund = (id: string, to: Wallet, usd: number, more: object = {}) =>
  server.call('POST', '/api/receipts/refund', {
    headers: session,
    body: { receiptId: id, wallet: merchant.wallet, buyer: to, usd, ...more },
  });

/** An order of 80 dollars plus fee, for which a part has arrived finally. */
async function partPaid(dollars: bigint, sku = 'BAG', more: object = {}): Promise<string> {
  const id = await ordered(sku, more);
  await buyer.payPart(chain.chain, id, await buyer.quote(id), dollars * DOLLAR);
  await mines(id, ({ refundableUsd }) => refundableUsd === Number(dollars));
  return id;
}

for (const [how, end] of Object.entries(endings)) {
  test(`the part of a payment in a receipt ${how} is listed, drafted and refunded, and is never announced as paid`, async () => {
    const receiver = await openReceiver();
    const id = await partPaid(50n, 'BAG', { webhookUrl: receiver.url });
    expect(await read(id)).toMatchObject({ status: 'tx_mismatch', buyerWallet: buyer.wallet });
    await end(id);
    await reaches(id, 'failed');
    expect(await read(id)).toMatchObject({ refundableUsd: 50, paidAt: null });
    await expect.poll(needing).toContain(id);
    const before = await attention();

    const to = randomWallet();
    expect((await refund(id, to, 50.01)).body).toMatchObject({ error: 'invalid_usd', refundableUsd: 50 });
    expect((await refund(id, to, 20)).status).toBe(200);
    const draft = 'query ($id: ID!, $to: Wallet) { refundDraft(receiptId: $id, usd: 50, buyer: $to) { token amount } }';
    const { token, amount } = (await ask(server, session, draft, { id, to })).body.data.refundDraft;
    expect([token, amount]).toEqual(['USDC', String(50n * DOLLAR)]);
    const part = await buyer.send(chain.chain, { token, payTo: to } as never, 20n * DOLLAR);
    await chain.control.mine({ blocks: 2 });
    expect((await refund(id, to, 20, { txHash: part })).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'failed', refundedUsd: 20, refundableUsd: 30 });
    const rest = await buyer.send(chain.chain, { token, payTo: to } as never, 30n * DOLLAR);
    await chain.control.mine({ blocks: 2 });
    expect((await refund(id, to, 30, { txHash: rest })).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'refunded', refundedUsd: 50, refundableUsd: 0, paidAt: null });
    expect((await refund(id, to, 1)).body).toMatchObject({ error: 'invalid_input', field: 'receiptId' });
    await expect.poll(needing).not.toContain(id);
    expect(await attention()).toBeLessThan(before);
    await expect.poll(() => receiver.received.map(({ event }) => event.status)).toContain('refunded');
    expect(receiver.received.map(({ event }) => event.status)).not.toContain('paid');
    const day = new Date().toISOString().slice(0, 10);
    const stats = `{ receiptStats(from: "${day}", to: "${day}") { total { figures { paidCount refundedUsd } } } }`;
    const { figures } = (await ask(server, session, stats)).body.data.receiptStats.total;
    expect(figures).toEqual({ paidCount: 0, refundedUsd: 0 });
  });

  test(`a single base unit holds the last piece no longer than any unpaid order ${how}`, async () => {
    const id = await ordered('TICKET');
    expect((await order('TICKET')).body).toMatchObject({ error: 'invalid_input', sku: 'TICKET' });
    const quote = await buyer.quote(id);
    await buyer.payPart(chain.chain, id, quote, 1n);
    await mines(id, isNoted('dust_received'));
    expect(await read(id)).toMatchObject({
      status: 'pending',
      buyerWallet: null,
      transactionHash: null,
      missing: null,
    });
    expect((await buyer.quote(id)).amount).toBe(quote.amount);
    // Expiry needs no further hours: dust is not a part of a payment.
    if (how.includes('worker')) await endsAgo(id, 1_000);
    else await end(id);
    await reaches(id, 'failed');
    expect(await available('TICKET')).toBe(1);
    expect(await read(id)).toMatchObject({ refundableUsd: 0 });
    await expect.poll(needing).not.toContain(id);
  });

  test(`a transfer to another address keeps no receipt open ${how}`, async () => {
    const id = await ordered('SEAT');
    const quote = await buyer.quote(id);
    // To the sender itself, with the amount of the quote.
    const hash = await buyer.send(chain.chain, { ...quote, payTo: buyer.wallet }, BigInt(quote.amount));
    await buyer.report(id, hash, chain.chain.chainId);
    await mineUntil(async () => {
      const hints = 'select closed_at from submitted_transactions where receipt_id = ?';
      return (await server.deps.db.orm.em.fork().execute(hints, [id])).every(({ closed_at }) => closed_at !== null);
    });
    expect(await read(id)).toMatchObject({ buyerWallet: null, transactionHash: null, refundableUsd: 0 });
    if (how.includes('worker')) await endsAgo(id, 1_000);
    else await end(id);
    await reaches(id, 'failed');
    expect(await available('SEAT')).toBe(1);
    expect((await refund(id, randomWallet(), 1)).body).toMatchObject({ error: 'invalid_input', field: 'receiptId' });
    await expect.poll(needing).not.toContain(id);
  });
}

test('a part-paid order gives its stock back at its end, waits as long as late money is accepted, and is oversold if completed then', async () => {
  const id = await partPaid(50n, 'GIFT');
  expect(await available('GIFT')).toBe(0);
  await endsAgo(id, HOUR_MS);
  await mines(id, isNoted('hold_ended'));
  expect((await read(id)).status).toBe('tx_mismatch');
  expect(await available('GIFT')).toBe(1);
  const other = await ordered('GIFT');
  const rest = await buyer.quote(id);
  await buyer.send(chain.chain, rest, BigInt(rest.amount));
  await reaches(id, 'paid', 'completed');
  const sold = 'query ($id: ID!) { receipt(receiptId: $id) { oversold { sku qty } } }';
  expect((await ask(server, session, sold, { id })).body.data.receipt.oversold).toEqual([{ sku: 'GIFT', qty: 1 }]);
  await voids(other);
});

test('a part-paid receipt is quoted until late money is accepted no longer, and not after that', async () => {
  const id = await partPaid(50n);
  await endsAgo(id, 23 * HOUR_MS);
  expect(BigInt((await buyer.quote(id)).amount)).toBeLessThan(40n * DOLLAR);
  await endsAgo(id, 25 * HOUR_MS);
  const again = 'mutation ($id: ID!) { quotePayment(receiptId: $id, token: "USDC") { amount } }';
  expect(codeOf(await ask(server, session, again, { id }))).toBe('receipt_ended');
  await reaches(id, 'failed');
  expect((await read(id)).failure).toEqual({ code: 'PORTAL_SESSION_EXPIRED' });
  const renew = 'mutation ($id: ID!) { renewReceipt(receiptId: $id) { status } }';
  expect((await ask(server, session, renew, { id })).body.data.renewReceipt).toEqual({ status: 'tx_mismatch' });
  const rest = await buyer.quote(id);
  expect(BigInt(rest.amount)).toBeLessThan(40n * DOLLAR);
  await buyer.send(chain.chain, rest, BigInt(rest.amount));
  await reaches(id, 'paid', 'completed');
});

test('dust adds up: it counts with the money that makes it more, and the buyer is who sent that money', async () => {
  const id = await ordered();
  const quote = await buyer.quote(id);
  await buyer.payPart(chain.chain, id, quote, 500_000n);
  await mines(id, isNoted('dust_received'));
  await mines(id, ({ refundableUsd }) => refundableUsd === 0.5);
  expect(await read(id)).toMatchObject({ status: 'pending', buyerWallet: null });
  await buyer.payPart(chain.chain, id, quote, 400_000n);
  await reaches(id, 'tx_mismatch');
  const { buyerWallet, missing, totalUsd } = await read(id);
  expect(buyerWallet).toBe(buyer.wallet);
  expect(Number(missing.display)).toBeCloseTo(totalUsd - 0.9, 1);
  const rest = await buyer.quote(id);
  await buyer.send(chain.chain, rest, BigInt(rest.amount));
  await reaches(id, 'paid', 'completed');
  expect((await read(id)).refundableUsd).toBe(totalUsd);
});

test('dust beside an exact payment is a surplus, and dust of a receipt that has ended can be returned', async () => {
  const paid = await ordered();
  const quote = await buyer.quote(paid);
  await buyer.payPart(chain.chain, paid, quote, 500_000n);
  await mines(paid, isNoted('dust_received'));
  await buyer.send(chain.chain, quote, BigInt(quote.amount));
  await reaches(paid, 'paid', 'completed');
  const { refundableUsd, totalUsd } = await read(paid);
  expect(refundableUsd).toBeCloseTo(totalUsd + 0.5, 2);

  const ended = await ordered();
  await buyer.payPart(chain.chain, ended, await buyer.quote(ended), 500_000n);
  await mines(ended, isNoted('dust_received'));
  await endsAgo(ended, 1_000);
  await reaches(ended, 'failed');
  await mines(ended, (receipt) => receipt.refundableUsd === 0.5);
  await expect.poll(needing).toContain(ended);
  const accept = 'mutation ($id: ID!) { acceptPayment(receiptId: $id) { status } }';
  expect(codeOf(await ask(server, session, accept, { id: ended }))).toBe('invalid_input');
  const to = randomWallet();
  const txHash = await buyer.send(chain.chain, { token: 'USDC', payTo: to } as never, 500_000n);
  await chain.control.mine({ blocks: 2 });
  expect((await refund(ended, to, 0.5, { txHash })).status).toBe(200);
  expect(await read(ended)).toMatchObject({ status: 'failed', refundedUsd: 0.5, refundableUsd: 0 });
  await expect.poll(needing).not.toContain(ended);
});

test('a payment without its confirmations is not refundable, also in a receipt that was voided meanwhile', async () => {
  const id = await ordered();
  await buyer.payPart(chain.chain, id, await buyer.quote(id), 50n * DOLLAR);
  await reachesUnmined(id, 'tx_mismatch');
  expect(await read(id)).toMatchObject({ refundableUsd: 0 });
  await voids(id);
  expect((await refund(id, randomWallet(), 1)).body).toMatchObject({ error: 'invalid_input', field: 'receiptId' });
  await mines(id, ({ refundableUsd }) => refundableUsd === 50);
  expect((await refund(id, randomWallet(), 1)).status).toBe(200);
});
