import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceOf, isTolerated, mayBeTolerated } from './tolerance.ts';
import { computeBalance, decisiveCredit } from './weigh.ts';

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
