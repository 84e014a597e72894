import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { rowsOf } from '../platform/test/rows.ts';
import { assignTransfer } from './assign.ts';
import { reserveQuote } from './quote-payment.ts';
import { submitTransaction } from './submit.ts';
import { submit } from './test/quoted.ts';
import { openWorld, type World } from './test/world.ts';
import { readUnclaimedOf } from './unclaimed.ts';
import { listUnmatched } from './unmatched.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/**
 * Two receipts that were quoted the same amount: the second one `sinceMs` ago, the first one `apartMs` earlier. All
 * other amounts of the price are held.
 */
async function twoHolders(sinceMs: number, apartMs = 10 * DAY_MS) {
  const { wallet: merchant, split } = await world.merchant();
  const now = Date.now();
  const ask = async (id: string, at: number) =>
    reserveQuote({ ...world.deps, clock: () => at }, { merchant, receiptId: id, token: 'USDC' });
  const [first, second] = [await world.receipt(merchant, 100), await world.receipt(merchant, 100)];
  const quote = await ask(first, now - sinceMs - apartMs);
  await world.deps.orm.em.fork().execute(
    `insert into quotes (merchant, id, receipt_id, chain_id, pay_to, token, amount, usd, usd_per_unit, created_at, expires_at)
     select ?, 'q' || n, 'other' || n, 31337, ?, 'USDC', n, '1', '1', 0, ?::int8 from generate_series(1000001, 1009999) n
         on conflict do nothing`,
    [merchant, split, now],
  );
  expect((await ask(second, now - sinceMs)).amount).toBe(quote.amount);
  return { merchant, first, second, quote };
}

const statuses = async (merchant: Wallet, ids: readonly string[]) =>
  Promise.all(ids.map((id) => world.status(merchant, id)));

test('an amount that another receipt held before pays neither by time alone: both are candidates, and the merchant assigns it', async () => {
  const { merchant, first, second, quote } = await twoHolders(MINUTE_MS);
  const hash = await world.pay(quote);
  await world.look();
  const [unmatched] = await rowsOf(listUnmatched(world.deps, merchant));
  expect(unmatched).toMatchObject({ reason: 'ambiguous', transactionHash: hash });
  expect(unmatched!.candidates.slice(0, 2).map(({ receiptId }) => receiptId)).toEqual([second, first]);
  expect(await statuses(merchant, [first, second])).toEqual(['generated', 'generated']);
  await assignTransfer(world.deps, { merchant, receiptId: first, transactionHash: hash, by: merchant });
  expect(await world.status(merchant, first)).toBe('tx_mined');
});

test('the buyer of the present holder is asked once, and a hint of that receipt credits the transfer to it', async () => {
  const { merchant, first, second, quote } = await twoHolders(60 * MINUTE_MS);
  const hash = await world.pay(quote);
  await world.look();
  const notes = (await world.history(merchant, second)).filter(({ what }) => what === 'note:payment_unclaimed');
  expect(notes).toEqual([expect.objectContaining({ detail: expect.objectContaining({ transactionHash: hash }) })]);
  expect((await world.history(merchant, first)).filter(({ what }) => what.startsWith('note:'))).toEqual([]);
  await submit(world, { merchant, receiptId: second }, hash);
  expect(await statuses(merchant, [first, second])).toEqual(['generated', 'tx_mined']);
});

test('the payment is open for the present holder alone, until its buyer names it or the merchant decides', async () => {
  const open = async (merchant: Wallet, ids: readonly string[]) =>
    (await readUnclaimedOf(world.deps, merchant, ids)).map((list) => list.map((one) => one.transactionHash));
  const named = await twoHolders(MINUTE_MS);
  const ids = [named.first, named.second];
  const hash = await world.pay(named.quote);
  await world.look();
  const [, [payment]] = (await readUnclaimedOf(world.deps, named.merchant, ids)) as [unknown, [object]];
  expect(payment).toMatchObject({ token: 'USDC', amount: named.quote.amount, display: named.quote.display });
  expect(await open(named.merchant, ids)).toEqual([[], [hash]]);
  await submitTransaction(world.deps, { merchant: named.merchant, receiptId: named.second, transactionHash: hash });
  expect(await open(named.merchant, ids)).toEqual([[], []]);

  const marked = await twoHolders(MINUTE_MS);
  const transactionHash = await world.pay(marked.quote);
  await world.look();
  expect(await open(marked.merchant, [marked.second])).toEqual([[transactionHash]]);
  await assignTransfer(world.deps, { ...marked, receiptId: marked.first, transactionHash, by: marked.merchant });
  expect(await open(marked.merchant, [marked.second])).toEqual([[]]);
});

test('a hint that comes before the transfer is read, as from the wallet on the page, credits it without a question', async () => {
  const { merchant, second, quote } = await twoHolders(MINUTE_MS);
  const hash = await world.pay(quote);
  await submitTransaction(world.deps, { merchant, receiptId: second, transactionHash: hash });
  await world.look();
  expect(await world.status(merchant, second)).toBe('tx_mined');
  expect((await world.history(merchant, second)).map(({ what }) => what)).not.toContain('note:payment_unclaimed');
});

test('if the buyers of both receipts say that they sent it, the merchant decides', async () => {
  const { merchant, first, second, quote } = await twoHolders(MINUTE_MS);
  const hash = await world.pay(quote);
  for (const receiptId of [first, second])
    await submitTransaction(world.deps, { merchant, receiptId, transactionHash: hash });
  await submit(world, { merchant, receiptId: first }, hash);
  expect(await statuses(merchant, [first, second])).toEqual(['generated', 'generated']);
});

test('a transfer from before the present holder was asked for the amount is not the holder’s, also if its buyer says so', async () => {
  const { merchant, first, second, quote } = await twoHolders(-5 * MINUTE_MS);
  const hash = await world.pay(quote);
  await submit(world, { merchant, receiptId: second }, hash);
  expect(await statuses(merchant, [first, second])).toEqual(['generated', 'generated']);
  const [unmatched] = await rowsOf(listUnmatched(world.deps, merchant));
  expect(unmatched!.candidates[0]!.receiptId).toBe(first);
});

test('an amount that was free for a year counts as never used', async () => {
  const { merchant, second, quote } = await twoHolders(MINUTE_MS, 374 * DAY_MS);
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, second)).toBe('tx_mined');
});

test('an amount that was paid before belongs to its present holder alone', async () => {
  const { wallet: merchant } = await world.merchant();
  const [paid, next] = [await world.receipt(merchant, 100), await world.receipt(merchant, 100)];
  const now = Date.now();
  const ask = (receiptId: string, at: number) =>
    reserveQuote({ ...world.deps, clock: () => at }, { merchant, receiptId, token: 'USDC' });
  const quote = await ask(paid, now - 60 * DAY_MS);
  const sql = world.deps.orm.em.fork();
  await sql.execute('update quotes set reserved_until = ? where receipt_id = ?', [now - 30 * DAY_MS, paid]);
  await sql.execute(
    `insert into quotes (merchant, id, receipt_id, chain_id, pay_to, token, amount, usd, usd_per_unit, created_at, expires_at)
     select ?, 'q' || n, 'other' || n, 31337, ?, 'USDC', n, '1', '1', 0, ?::int8 from generate_series(1000001, 1009999) n
         on conflict do nothing`,
    [merchant, quote.payTo, now],
  );
  expect((await ask(next, now - 5 * 60 * MINUTE_MS)).amount).toBe(quote.amount);
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, next)).toBe('tx_mined');
});
