import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../platform/unit-of-work.ts';
import { type AmountGrid, amountAt, gridFor, sizeOf } from '../quotes/amounts.ts';
import { endReservations, reserveAmount } from '../quotes/reserve.ts';
import { Receipt } from '../receipts/receipt.entity.ts';
import { recordTransfer } from './match.ts';
import { AmountPool } from './test/amount-pool.ts';
import { type Outcome, type Payment, planYear } from './test/planned-year.ts';
import { confirmAsBuyer, storedTransfer } from './test/quoted.ts';
import { openWorld, randomWallet, type World } from './test/world.ts';

const DAY_MS = 24 * 3_600_000;
const USDC = { decimals: 6, usdPerUnit: '1' };

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** Money that was credited to another receipt than the one that it was paid for. */
const misdirected = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ payer, credited }) => credited !== null && credited !== payer);

/** The share of the payments in time that the buyer had to confirm. */
function shareAsked(outcomes: readonly Outcome[]): number {
  const inTime = outcomes.filter(({ isLate }) => !isLate);
  expect(inTime.filter(({ payer, credited }) => credited !== payer)).toEqual([]);
  return inTime.filter(({ isAsked }) => isAsked).length / inTime.length;
}

test('a year of 1,000 abandoned $1 checkouts a day exhausts nothing; late money pays its receipt or names it as candidate, and never another', () => {
  const { checkouts, payments } = planYear({ abandoned: 1_000, paid: 10, lateEvery: 50, seed: 20_261_122 });
  const late = payments.filter(({ isLate }) => isLate);
  expect([checkouts.length, late.length, payments.length - late.length]).toEqual([368_650, 7_300, 3_650]);
  const pool = new AmountPool(sizeOf(gridFor('1.00', USDC)));
  const outcomes = runYear(checkouts, payments, pool);
  expect(pool.refused).toBe(0);
  expect(pool.mostHeld).toBeLessThan(0.9 * pool.size);

  expect(misdirected(outcomes)).toEqual([]);
  expect(outcomes.filter(({ payer, credited, named }) => credited === null && !named.includes(payer))).toEqual([]);
  expect(outcomes.filter(({ isLate, payer, credited }) => isLate && payer === credited).length).toBeGreaterThan(100);
  // Each amount is used again after ten days, so that nearly every buyer who pays without the page's wallet is asked.
  expect(shareAsked(outcomes)).toBeCloseTo(0.97, 2);
});

test('a shop with 25 abandoned checkouts a day at one price never asks a buyer, and late money is never misdirected', () => {
  const { checkouts, payments } = planYear({ abandoned: 25, paid: 2, lateEvery: 2, seed: 25 });
  const outcomes = runYear(checkouts, payments, new AmountPool(sizeOf(gridFor('1.00', USDC))));
  expect(shareAsked(outcomes)).toBe(0);
  expect(misdirected(outcomes)).toEqual([]);
});

/** The checkouts and payments of a year in order of time, with the rules of the code and no database. */
function runYear(checkouts: readonly number[], payments: readonly Payment[], pool: AmountPool): Outcome[] {
  const outcomes: Outcome[] = [];
  let next = 0;
  for (const payment of payments) {
    while (next < checkouts.length && checkouts[next]! <= payment.at) {
      pool.reserve(next, checkouts[next]!);
      next += 1;
    }
    outcomes.push(pool.pay(payment));
  }
  for (; next < checkouts.length; next++) pool.reserve(next, checkouts[next]!);
  return outcomes;
}

/** Sixty amounts of a cent, in place of 9,999. */
const SMALL: AmountGrid = { base: 10_000n, step: 160n, cent: 10_000n, tags: 60, cents: 1 };

test('a smaller year on the database, with the real reservations and the real matching, has the same outcomes', async () => {
  const { checkouts, payments } = planYear({ abandoned: 2, paid: 1, lateEvery: 7, seed: 7 });
  const { wallet: merchant, split } = await world.merchant();
  await world.look();
  const em = world.deps.orm.em.fork();
  const template = await em.findOneOrFail(Receipt, { merchant, id: await world.receipt(merchant, 1) });
  await em.insertMany(
    Receipt,
    checkouts.map((at, i) => ({ ...template, id: `R-${i}`, createdBlock: null, expiresAt: at + 7 * DAY_MS })),
  );
  const amounts: string[] = [];
  let next = 0;
  const reserveUntil = (time: number) =>
    inTransaction(world.deps, async (uow) => {
      for (; next < checkouts.length && checkouts[next]! <= time; next++) {
        const at = checkouts[next]!;
        const { amount } = await reserveAmount(world.deps, uow, SMALL, {
          ...{ merchant, receiptId: `R-${next}`, chainId: world.chain.chainId, payTo: split, token: 'USDC' },
          ...{ usd: '0.01', usdPerUnit: '1', createdAt: at, expiresAt: at + DAY_MS },
        });
        amounts[next] = amount;
      }
    });
  const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!;
  const sender = randomWallet();
  for (const [i, { payer, at, isLate }] of payments.entries()) {
    await reserveUntil(at);
    const hash = (digit: string) => `0x${digit}${i.toString(16).padStart(63, '0')}` as const;
    await recordTransfer(world.deps, {
      ...{ blockNumber: 1n << 40n, blockHash: hash('b'), blockTimeMs: at, transactionHash: hash('a'), logIndex: 0 },
      ...{ tokenAddress: usdc.address, symbol: 'USDC', from: sender, to: split, value: BigInt(amounts[payer]!) },
    });
    if (!isLate) await confirmAsBuyer(world, { merchant, receiptId: `R-${payer}` }, hash('a'));
    const { receiptId } = await storedTransfer(world, hash('a'));
    if (receiptId) await inTransaction(world.deps, (uow) => endReservations(uow, { merchant, id: receiptId }, at));
  }
  await reserveUntil(Number.POSITIVE_INFINITY);
  expect(Math.max(...amounts.map(Number))).toBeLessThanOrEqual(Number(amountAt(SMALL, 0, SMALL.tags)));

  const stored: { id: string | null; reason: string | null }[] = await em.execute(
    'select receipt_id as id, unmatched_reason as reason from transfers where merchant = ? order by transaction_hash',
    [merchant],
  );
  const pool = new AmountPool(sizeOf(SMALL));
  const expected = runYear(checkouts, payments, pool);
  expect(pool.refused).toBe(0);
  expect(stored).toEqual(
    expected.map(({ credited, reason }) => ({ id: credited === null ? null : `R-${credited}`, reason })),
  );
  expect(stored.filter(({ reason }) => reason === 'ambiguous').length).toBeGreaterThan(20);
  expect(expected.filter(({ isAsked }) => isAsked).length).toBeGreaterThan(100);
}, 300_000);
