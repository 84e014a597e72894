import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Credit,
  computeBalance,
  decisiveCredit,
  differenceOf,
  findRises,
  isTolerated,
  mayBeTolerated,
} from './weigh.ts';

const balanceOf = (totalCents: number, credits: readonly Credit[], refundedCents = 0) =>
  computeBalance({ totalCents, refundedCents }, credits);
const credits = (...sums: readonly string[]): Credit[] => sums.map((usd) => ({ usd }));
const covered = { covered: true, missingUsd: '0', surplusUsd: '0' };

test('without credits the whole total is missing', () => {
  expect(balanceOf(1_000, [])).toEqual({ covered: false, missingUsd: '10', surplusUsd: '0' });
});

test('credits add up to the total, to the base unit', () => {
  expect(balanceOf(1_000, credits('10'))).toEqual(covered);
  expect(balanceOf(1_000, credits('4', '6'))).toEqual(covered);
  expect(balanceOf(1_000, credits('4', '5.999999'))).toEqual({
    ...{ covered: false, missingUsd: '0.000001', surplusUsd: '0' },
  });
});

test('a surplus is a cent or more: less is what a quote was rounded up by', () => {
  expect(balanceOf(1_000, credits('10.009999'))).toEqual(covered);
  expect(balanceOf(1_000, credits('10.01'))).toEqual({ ...covered, surplusUsd: '0.01' });
  expect(balanceOf(1_000, credits('4', '10'))).toEqual({ ...covered, surplusUsd: '4' });
});

test('refunded money is due again', () => {
  expect(balanceOf(1_000, credits('10'), 250)).toEqual({ covered: false, missingUsd: '2.5', surplusUsd: '0' });
  expect(balanceOf(1_000, credits('10', '2.5'), 250)).toEqual(covered);
});

const due = { totalCents: 1_000, refundedCents: 0 };
const credit = (usd: string) => ({ usd });
const tolerated = (usd: string, tolerancePct: number, toleranceUsd: number) =>
  isTolerated(differenceOf(due, [credit(usd)]), {
    ...{ toleranceBps: tolerancePct * 100, toleranceCents: toleranceUsd * 100 },
  });

test('the smaller of both limits counts, and its amount is still within it', () => {
  expect(tolerated('9.9', 1, 5)).toBe(true);
  expect(tolerated('9.899999', 1, 5)).toBe(false);
  expect(tolerated('9.5', 10, 0.5)).toBe(true);
  expect(tolerated('9.499999', 10, 0.5)).toBe(false);
});

test('without both limits nothing is tolerated, not even a millionth', () => {
  for (const usd of ['10', '9.999999']) {
    expect(tolerated(usd, 10, 0)).toBe(false);
    expect(tolerated(usd, 0, 1_000)).toBe(false);
    expect(tolerated(usd, 0, 0)).toBe(false);
  }
  expect(tolerated('10', 0.01, 0.01)).toBe(true);
});

test('the difference is between the total and what was received, without refunds', () => {
  expect(differenceOf({ ...due, refundedCents: 150 }, [credit('4'), credit('5.25')])).toEqual({
    ...{ totalUsd: '10', receivedUsd: '7.75', missingUsd: '2.25' },
  });
  expect(differenceOf(due, [credit('10.001')])).toEqual({ totalUsd: '10', receivedUsd: '10.001', missingUsd: '0' });
});

const dollars = (max: number) => fc.integer({ min: 1, max }).map((units) => new Big(units).div(1_000_000).toFixed());

test('an accepted difference covers exactly the credits that it was accepted for, and no smaller ones', () => {
  const credits = fc.array(fc.record({ usd: dollars(2_000_000_000) }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.nat({ max: 100_000 }),
      credits,
      (totalCents, back, received) => {
        const owed = { totalCents, refundedCents: back };
        const { missingUsd } = differenceOf(owed, received);
        const accepted = { ...owed, acceptedUsd: missingUsd };
        // Dust is never accepted.
        if (!decisiveCredit(owed, received)) {
          expect(computeBalance(accepted, received).covered).toBe(false);
          return;
        }
        expect(computeBalance(accepted, received)).toMatchObject({ covered: true, missingUsd: '0' });
        const fewer = received.slice(1);
        const { missingUsd: more } = differenceOf(owed, fewer);
        if (new Big(more).gt(missingUsd) && !computeBalance(owed, fewer).covered)
          expect(computeBalance(accepted, fewer).covered).toBe(false);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('only what is within both limits is tolerated, for all totals and credits', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      dollars(2_000_000_000),
      fc.integer({ min: 0, max: 1_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      (totalCents, usd, toleranceBps, toleranceCents) => {
        const difference = differenceOf({ totalCents, refundedCents: 0 }, [credit(usd)]);
        const missing = new Big(totalCents).div(100).minus(usd);
        const limit = [new Big(totalCents).times(toleranceBps).div(1_000_000), new Big(toleranceCents).div(100)];
        const least = limit[0]!.lt(limit[1]!) ? limit[0]! : limit[1]!;
        expect(isTolerated(difference, { toleranceBps, toleranceCents })).toBe(least.gt(0) && missing.lte(least));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('the tolerance applies to what proves its receipt, and not to the transactions of the server', () => {
  const links = ['address', 'signature', 'assignment', 'server', 'asked'] as const;
  expect(links.filter((link) => !mayBeTolerated(link))).toEqual(['server']);
});

const LAST = 63;
/** What arrives in each block. */
const arrivals = fc.array(fc.tuple(fc.nat(LAST), fc.bigInt(1n, 10n ** 20n)), { minLength: 1, maxLength: 6 });
const counted = fc.bigInt(0n, 10n ** 20n);

const sumsOf = (all: readonly (readonly [number, bigint])[], before: bigint) => (block: number) =>
  all.reduce((sum, [at, amount]) => (at <= block ? sum + amount : sum), before);

test('each rise is found in its block', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, counted, async (all, before) => {
      const sumAt = sumsOf(all, before);
      const rises = await findRises(async (block) => sumAt(block), {
        ...{ low: 0, high: LAST, counted: before, sum: sumAt(LAST) },
      });
      const blocks = [...new Set(all.map(([at]) => at))].sort((a, b) => a - b);
      expect(rises).toEqual(
        blocks.map((block) => ({ block, amount: sumAt(block) - (block ? sumAt(block - 1) : before) })),
      );
    }),
  );
});

test('a node that does not show a block at each request changes no sum: rises are found later, and never fall', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, counted, fc.infiniteStream(fc.boolean()), async (all, before, shows) => {
      const sumAt = sumsOf(all, before);
      const sum = sumAt(LAST);
      const rises = await findRises(async (block) => (shows.next().value ? sumAt(block) : before), {
        ...{ low: 0, high: LAST, counted: before, sum },
      });
      expect(rises.every(({ amount }) => amount > 0n)).toBe(true);
      expect(rises.reduce((total, { amount }) => total + amount, before)).toBe(sum);
    }),
  );
});
