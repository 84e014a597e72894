import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDust } from '../../core/dust.ts';
import { type Credit, computeBalance, decisiveCredit, weigh } from './weigh.ts';

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

const creditOf = fc.record({
  usd: fc.integer({ min: 1, max: 30_000_000 }).map(micros),
  exact: fc.boolean(),
  askedUsd: fc.option(fc.integer({ min: 1, max: 2_000_000_000 }).map(micros)),
  token: fc.constantFrom('USDC', 'USDT'),
  chainId: fc.constantFrom(1, 2),
  amount: fc.constant('1'),
  sender: fc.constant('0x6' as never),
  transactionHash: fc.constant('0x7' as const),
  blockTimeMs: fc.constant(1),
  confirmedAt: fc.constant(null),
});

test('credits that are dust together change nothing, and all together count once they are more', () => {
  fc.assert(
    fc.property(totals, fc.array(creditOf, { minLength: 1, maxLength: 5 }), (totalCents, credits) => {
      const due = { totalCents, refundedCents: 0 };
      const { to, balance } = weigh(due, credits, credits.at(-1)!);
      const nothing = computeBalance(due, []);
      if (isDust(sumOf(credits), totalCents)) {
        expect([to, balance]).toEqual([null, nothing]);
        return;
      }
      expect(to).not.toBeNull();
      // What was dust before is a part of the sum now.
      const alone = [
        { ...credits[0]!, usd: sumOf(credits).toFixed(), askedUsd: decisiveCredit(due, credits)!.askedUsd },
      ];
      const isExact = credits.some(({ exact }) => exact);
      expect(balance).toEqual(computeBalance(due, [{ ...alone[0]!, exact: isExact }]));
    }),
    { numRuns: 3_000 },
  );
});

test('dust before a payment, in any number of transfers, never covers less or asks for more than the payment alone', () => {
  fc.assert(
    fc.property(totals, fc.array(creditOf, { maxLength: 4 }), creditOf, (totalCents, dust, payment) => {
      const due = { totalCents, refundedCents: 0 };
      fc.pre(isDust(sumOf(dust), totalCents) && !isDust(new Big(payment.usd), totalCents));
      const [alone, after] = [computeBalance(due, [payment]), computeBalance(due, [...dust, payment])];
      expect(decisiveCredit(due, [...dust, payment])).toBe(payment);
      if (alone.covered) expect(after.covered).toBe(true);
      expect(new Big(after.missingUsd).lte(alone.missingUsd)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});
