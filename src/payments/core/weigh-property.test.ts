import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Credit, computeBalance } from './weigh.ts';

// Invariants of all sets of credits, regardless of reorganisations and refunds.

const micros = (units: number): string => new Big(units).div(1_000_000).toFixed();
const sumOf = (credits: readonly Credit[]): Big => credits.reduce((sum, { usd }) => sum.plus(usd), new Big(0));

/** A payment by a buyer: a part of the current quote, or exactly the quote, including the tag. */
const step = fc.record({
  exact: fc.boolean(),
  /** The part of the missing amount, in thousandths. */
  part: fc.integer({ min: 1, max: 1_500 }),
  tag: fc.integer({ min: 1, max: 9_999 }),
  hasQuote: fc.boolean(),
});

/** The credits of a receipt whose buyer pays in steps, each time against a new quote for the missing amount. */
function play(totalCents: number, steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): Credit[] {
  const credits: Credit[] = [];
  for (const { exact, part, tag, hasQuote } of steps) {
    const { covered, missingUsd } = computeBalance({ totalCents, refundedCents: 0 }, credits);
    if (covered) break;
    const quoted = new Big(missingUsd).times(1_000_000).round(0, Big.roundUp).toNumber() + tag;
    const paid = exact ? quoted : Math.max(1, Math.floor((quoted * part) / 1_000));
    credits.push({
      usd: micros(paid),
      exact: hasQuote && paid === quoted,
      askedUsd: hasQuote ? micros(quoted) : null,
    });
  }
  return credits;
}

const totals = fc.integer({ min: 1, max: 1_000_000 });

test('credits below the total never count as paid, regardless of which ones remain', () => {
  fc.assert(
    fc.property(
      totals,
      fc.array(step, { maxLength: 6 }),
      fc.array(fc.boolean(), { maxLength: 6 }),
      (total, steps, keep) => {
        const left = play(total, steps).filter((_, i) => keep[i] ?? true);
        if (computeBalance({ totalCents: total, refundedCents: 0 }, left).covered)
          expect(sumOf(left).gte(new Big(total).div(100))).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('any credits, in any order, cover a receipt only with its total', () => {
  const anyCredit = fc.record({
    usd: fc.integer({ min: 1, max: 2_000_000_000 }).map(micros),
    exact: fc.boolean(),
    askedUsd: fc.option(fc.integer({ min: 1, max: 2_000_000_000 }).map(micros)),
  });
  fc.assert(
    fc.property(totals, fc.array(anyCredit, { maxLength: 6 }), fc.nat({ max: 1_000_000 }), (total, credits, back) => {
      const { covered, missingUsd } = computeBalance({ totalCents: total, refundedCents: back }, credits);
      const net = sumOf(credits).minus(new Big(back).div(100));
      if (covered) expect(net.gte(new Big(total).div(100))).toBe(true);
      else expect(new Big(missingUsd).gt(0)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a buyer who pays each quote exactly has paid', () => {
  fc.assert(
    fc.property(totals, fc.array(step, { maxLength: 5 }), fc.integer({ min: 1, max: 9_999 }), (total, steps, tag) => {
      const exact = { exact: true, part: 1_000, tag, hasQuote: true };
      expect(computeBalance({ totalCents: total, refundedCents: 0 }, play(total, [...steps, exact])).covered).toBe(
        true,
      );
    }),
    { numRuns: 2_000 },
  );
});
