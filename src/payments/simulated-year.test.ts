import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../platform/unit-of-work.ts';
import { type AmountGrid, amountAt, gridFor, sizeOf } from '../quotes/amounts.ts';
import { reserveAmount } from '../quotes/reserve.ts';
import { Receipt } from '../receipts/receipt.entity.ts';
import { recordTransfer } from './match.ts';
import { AmountPool } from './test/amount-pool.ts';
import { type Late, type Outcome, planYear } from './test/planned-year.ts';
import { openWorld, randomWallet, type World } from './test/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const USDC = { decimals: 6, usdPerUnit: '1' };

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const isWithinHour = (askedAt: number, at: number): boolean => at >= askedAt - MINUTE_MS && at <= askedAt + HOUR_MS;

/** Money that was credited to another receipt than the one that it was paid for. */
const misdirected = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ payer, credited }) => credited !== null && credited !== payer);

test('a year of 1,000 abandoned $1 checkouts a day exhausts nothing; late money pays its receipt or names it as candidate, except where another buyer was asked for the amount within the hour', () => {
  const { checkouts, late } = planYear({ perDay: 1_000, lateEvery: 50, seed: 20_261_122 });
  expect([checkouts.length, late.length]).toEqual([365_000, 7_300]);
  const pool = new AmountPool(sizeOf(gridFor('1.00', USDC)));
  const outcomes = runYear(checkouts, late, pool);
  expect(pool.refused).toBe(0);
  expect(pool.mostHeld).toBeLessThan(0.9 * pool.size);

  expect(outcomes.filter(({ payer, credited, named }) => credited === null && !named.includes(payer))).toEqual([]);
  // Within the hour after another buyer was asked for the same amount, nothing distinguishes the two.
  const wrong = misdirected(outcomes);
  expect(wrong.filter(({ credited, at }) => !isWithinHour(checkouts[credited!]!, at))).toEqual([]);
  expect(wrong.length).toBeLessThan(late.length / 500);
  expect(outcomes.filter(({ payer, credited }) => payer === credited).length).toBeGreaterThan(late.length / 5);
});

/** The checkouts and late payments of a year in order of time, with the rules of the code and no database. */
function runYear(checkouts: readonly number[], late: readonly Late[], pool: AmountPool): Outcome[] {
  const outcomes: Outcome[] = [];
  let next = 0;
  for (const payment of late) {
    while (next < checkouts.length && checkouts[next]! <= payment.at) {
      pool.reserve(next, checkouts[next]!);
      next += 1;
    }
    outcomes.push(pool.pay(payment));
  }
  for (; next < checkouts.length; next++) pool.reserve(next, checkouts[next]!);
  return outcomes;
}

/** Twenty amounts of a cent: a five-hundredth of a price in USDC. */
const SMALL: AmountGrid = { base: 10_000n, step: 400n, cent: 10_000n, tags: 20, cents: 1 };

test('a smaller year on the database, with the real reservations and the real matching, has the same outcomes', async () => {
  const { checkouts, late } = planYear({ perDay: 2, lateEvery: 7, seed: 7 });
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
  for (const [i, { payer, at }] of late.entries()) {
    await reserveUntil(at);
    const hash = (digit: string) => `0x${digit}${i.toString(16).padStart(63, '0')}` as const;
    await recordTransfer(world.deps, {
      ...{ blockNumber: 1n << 40n, blockHash: hash('b'), blockTimeMs: at, transactionHash: hash('a'), logIndex: 0 },
      ...{ tokenAddress: usdc.address, symbol: 'USDC', from: sender, to: split, value: BigInt(amounts[payer]!) },
    });
  }
  await reserveUntil(Number.POSITIVE_INFINITY);
  expect(Math.max(...amounts.map(Number))).toBeLessThanOrEqual(Number(amountAt(SMALL, 0, SMALL.tags)));

  const stored: { id: string | null; reason: string | null }[] = await em.execute(
    'select receipt_id as id, unmatched_reason as reason from transfers where merchant = ? order by transaction_hash',
    [merchant],
  );
  const pool = new AmountPool(sizeOf(SMALL));
  const expected = runYear(checkouts, late, pool);
  expect(pool.refused).toBe(0);
  expect(stored).toEqual(
    expected.map(({ credited, reason }) => ({ id: credited === null ? null : `R-${credited}`, reason })),
  );
  expect(stored.filter(({ reason }) => reason === 'ambiguous').length).toBeGreaterThan(20);
});
