import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../platform/test/rows.ts';
import { assignTransfer } from './assign.ts';
import { readMissing } from './missing.ts';
import { quotePayment } from './quote-payment.ts';
import { merchantWithEther, quoted, submit, submitSigned } from './test/quoted.ts';
import { openWorld, type World } from './test/world.ts';
import { listUnmatched } from './unmatched.ts';

// What a plain transfer may be that is not the very amount, or not in time. Beside it: edge-transactions (where it
// goes, and what became of it), claim (signed by its sender), reorg, and for the RPC worker and rpc-fallback.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

test('underpaid: one base unit short is not paid, and is listed with its candidate receipt', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const hash = await world.pay(quote, -1n);
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('pending');
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([
    expect.objectContaining({
      transactionHash: hash,
      token: 'USDC',
      amount: String(BigInt(quote.amount) - 1n),
      reason: 'unknown_amount',
      candidates: [{ receiptId, status: 'pending', totalCents: 1_000 }],
    }),
  ]);
});

test('underpaid: one base unit short, which its sender claims, is a mismatch of one base unit, and the remainder pays', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const hash = await world.pay(quote, -1n);
  await submitSigned(world, { merchant, receiptId }, hash);
  expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
  expect(await readMissing(world.deps, merchant, receiptId)).toEqual({
    usd: '0.000001',
    token: 'USDC',
    amount: '1',
    display: '0.000001',
  });
  const rest = await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' });
  expect(Number(rest.amount)).toBeGreaterThan(1);
  expect(Number(rest.amount)).toBeLessThanOrEqual(10_000);
  await world.pay(rest);
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect((await world.history(merchant, receiptId)).at(-1)!.detail).not.toHaveProperty('surplusUsd');
});

test('underpaid: credits in two tokens add up', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  await submit(world, { merchant, receiptId }, await world.pay({ ...quote, amount: '4000000' }));
  const rest = await quotePayment(world.deps, { merchant, receiptId, token: 'USDT' });
  expect(Number(rest.amount)).toBeGreaterThan(Number(quote.amount) - 4_000_000);
  await world.pay(rest);
  await world.mine(2);
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'paid', paidToken: 'USDT' });
});

test('overpaid: more than the quote, which its sender claims, is paid, and the surplus is noted', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  await submitSigned(world, { merchant, receiptId }, await world.pay(quote, 250_000n));
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect((await world.history(merchant, receiptId)).at(-1)).toMatchObject({
    what: 'status:paid',
    detail: { surplusUsd: '0.25' },
  });
});

test('overpaid: an amount beyond every number of cents is paid, and holds up no other payment', async () => {
  const [huge, other] = [await quoted(world, 1_000), await quoted(world, 1_000)];
  await submitSigned(world, huge, await world.pay(huge.quote, 2n ** 200n));
  await world.pay(other.quote);
  await world.mine(2);
  await world.look();
  for (const { merchant, receiptId } of [huge, other]) expect(await world.status(merchant, receiptId)).toBe('paid');
});

test('another amount: a hint credits it only if a single receipt waits for money there', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const second = await world.receipt(merchant, 1_000);
  await quotePayment(world.deps, { merchant, receiptId: second, token: 'USDC' });
  await submit(world, { merchant, receiptId }, await world.pay(quote, -5n));
  expect(await world.status(merchant, receiptId)).toBe('pending');
  const [unmatched] = await rowsOf(listUnmatched(world.deps, merchant));
  expect(unmatched!.candidates.map((candidate) => candidate.receiptId).sort()).toEqual([receiptId, second].sort());
});

test('paid twice: a second payment of the same amount is a duplicate', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  await world.pay(quote);
  await world.mine(2);
  await world.look();
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([
    expect.objectContaining({
      reason: 'duplicate',
      candidates: [expect.objectContaining({ receiptId, status: 'paid' })],
    }),
  ]);
});

test('too early: a payment from before the receipt was created does not pay it', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const head = await world.chain.client.getBlockNumber();
  await world.deps.orm.em
    .fork()
    .execute('update receipts set created_block = ? where id = ?', [Number(head) + 5, receiptId]);
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('pending');
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([expect.objectContaining({ reason: 'too_old' })]);
});

test('not too early: on another chain than that of the recorded block, whatever the clock of the chain shows', async () => {
  const { wallet: merchant } = await world.merchant();
  const head = Number(await world.chain.client.getBlockNumber());
  const anHourAhead = Date.now() + 3_600_000;
  const elsewhere = { createdChainId: 1, createdBlock: head + 1_000, createdAt: anHourAhead };
  const ids: string[] = [];
  for (const known of [head, head + 100]) {
    const createdHeads = { [world.chain.chainId]: known };
    ids.push(await world.receipt(merchant, 1_000, { ...elsewhere, createdHeads }));
  }
  for (const receiptId of ids) await world.pay(await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' }));
  await world.mine(2);
  await world.look();
  expect(await Promise.all(ids.map((id) => world.status(merchant, id)))).toEqual(['paid', 'pending']);
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([expect.objectContaining({ reason: 'too_old' })]);
});

test('late: a stablecoin payment counts at any time', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  const monthsAgo = { ...world.deps, clock: () => Date.now() - 90 * 24 * 60 * 60 * 1000 };
  const quote = await quotePayment(monthsAgo, { merchant, receiptId, token: 'USDT' });
  await world.pay(quote);
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
});

test('late: ether after its quote has expired counts at the current price if no other is known', async () => {
  const merchant = await merchantWithEther(world);
  const old = { ...world.deps, clock: () => Date.now() - 60 * 60 * 1000 };
  const [short, enough] = [await world.receipt(merchant, 10_000), await world.receipt(merchant, 10_000)];
  const quoteShort = await quotePayment(old, { merchant, receiptId: short, token: 'ETH' });
  const quoteEnough = await quotePayment(old, { merchant, receiptId: enough, token: 'ETH' });
  world.rates.set('ETH', '2480');
  await world.pay(quoteShort);
  await world.look();
  expect(await world.status(merchant, short)).toBe('tx_mismatch');
  expect(Number((await readMissing(world.deps, merchant, short))!.usd)).toBeCloseTo(20, 1);
  world.rates.set('ETH', '3200');
  await world.pay(quoteEnough);
  await world.look();
  expect(await world.status(merchant, enough)).toBe('tx_mined');
  world.rates.set('ETH', '3100');
});

/** Stores the price of ether from a time on. */
const etherWas = (usdPerUnit: string, quotedAt: number) =>
  world.deps.orm.em
    .fork()
    .execute(`insert into rate_history (currency, quoted_at, provider, usd_per_unit) values ('ETH', ?, 'static', ?)`, [
      quotedAt,
      usdPerUnit,
    ]);

test("late: ether after its quote has expired counts at the price at its block's time, whenever it is found or assigned", async () => {
  const merchant = await merchantWithEther(world);
  const old = { ...world.deps, clock: () => Date.now() - 60 * 60 * 1000 };
  const [first, second] = [await world.receipt(merchant, 10_000), await world.receipt(merchant, 20_000)];
  const quote = await quotePayment(old, { merchant, receiptId: first, token: 'ETH' });
  await quotePayment(old, { merchant, receiptId: second, token: 'ETH' });
  await world.pay(quote);
  const odd = await world.pay(quote, 1n);
  const { timestamp } = await world.chain.client.getBlock();
  const blockTime = Number(timestamp) * 1000;
  await etherWas('3300', blockTime - 3_600_000);
  await etherWas('2480', blockTime - 60_000);
  await etherWas('9999', blockTime + 1);
  world.rates.set('ETH', '9999');
  await world.look();
  expect(await world.status(merchant, first)).toBe('tx_mismatch');
  expect(Number((await readMissing(world.deps, merchant, first))!.usd)).toBeCloseTo(20, 1);

  await assignTransfer(world.deps, { merchant, receiptId: second, transactionHash: odd, by: merchant });
  expect(await world.status(merchant, second)).toBe('tx_mismatch');
  expect(Number((await readMissing(world.deps, merchant, second))!.usd)).toBeCloseTo(120, 1);
  world.rates.set('ETH', '3100');
});
