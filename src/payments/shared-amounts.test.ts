import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../platform/test/rows.ts';
import { assignTransfer } from './assign.ts';
import { reserveQuote } from './quote-payment.ts';
import { submit } from './test/quoted.ts';
import { openWorld, type World } from './test/world.ts';
import { listUnmatched } from './unmatched.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/**
 * Two receipts that were quoted the same amount: the first one long ago, the second one `sinceMs` ago. All other
 * amounts of the price are held.
 */
async function twoHolders(sinceMs: number) {
  const { wallet: merchant, split } = await world.merchant();
  const now = Date.now();
  const ask = async (id: string, at: number) =>
    reserveQuote({ ...world.deps, clock: () => at }, { merchant, receiptId: id, token: 'USDC' });
  const [first, second] = [await world.receipt(merchant, 100), await world.receipt(merchant, 100)];
  const quote = await ask(first, now - sinceMs - 10 * DAY_MS);
  await world.deps.orm.em.fork().execute(
    `insert into quotes (merchant, id, receipt_id, chain_id, pay_to, token, amount, usd, usd_per_unit, created_at, expires_at)
     select ?, 'q' || n, 'other' || n, 31337, ?, 'USDC', n, '1', '1', 0, ?::int8 from generate_series(1000001, 1009999) n
         on conflict do nothing`,
    [merchant, split, now],
  );
  expect((await ask(second, now - sinceMs)).amount).toBe(quote.amount);
  return { merchant, first, second, quote };
}

test('an amount that another receipt held before pays the receipt whose buyer asked for it within the hour', async () => {
  const { merchant, first, second, quote } = await twoHolders(10 * MINUTE_MS);
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, second)).toBe('tx_mined');
  expect(await world.status(merchant, first)).toBe('generated');
});

test('later it pays neither, both are named as candidates, and the merchant assigns it', async () => {
  const { merchant, first, second, quote } = await twoHolders(2 * 60 * MINUTE_MS);
  const hash = await world.pay(quote);
  await world.look();
  const [unmatched] = await rowsOf(listUnmatched(world.deps, merchant));
  expect(unmatched).toMatchObject({ reason: 'ambiguous', transactionHash: hash });
  expect(unmatched!.candidates.slice(0, 2).map(({ receiptId }) => receiptId)).toEqual([second, first]);
  expect([await world.status(merchant, first), await world.status(merchant, second)]).toEqual([
    'generated',
    'generated',
  ]);
  await assignTransfer(world.deps, { merchant, receiptId: first, transactionHash: hash, by: merchant });
  expect(await world.status(merchant, first)).toBe('tx_mined');
});

test('a request of the holder after the payment does not make up for an earlier one', async () => {
  const { merchant, second, quote } = await twoHolders(2 * 60 * MINUTE_MS);
  await world.pay(quote);
  const later = { ...world.deps, clock: () => Date.now() + MINUTE_MS };
  expect(await reserveQuote(later, { merchant, receiptId: second, token: 'USDC' })).toMatchObject({
    amount: quote.amount,
  });
  await world.look();
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([expect.objectContaining({ reason: 'ambiguous' })]);
});

test('an unsigned hint of anybody does not decide whom an amount of two receipts pays', async () => {
  const { merchant, first, second, quote } = await twoHolders(2 * 60 * MINUTE_MS);
  const hash = await world.pay(quote);
  for (const receiptId of [first, second]) await submit(world, { merchant, receiptId }, hash);
  expect([await world.status(merchant, first), await world.status(merchant, second)]).toEqual([
    'generated',
    'generated',
  ]);
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
