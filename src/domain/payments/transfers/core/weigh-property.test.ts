import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDust } from '../../../../base/core/dust.ts';
import { type Credit, computeBalance, decisiveCredit, weigh } from './weigh.ts';

// Invariants of all sets of credits, regardless of reorganisations and refunds.

const micros = (units: number): string => new Big(units).div(1_000_000).toFixed();
const sumOf = (credits: readonly Credit[]): Big => credits.reduce((sum, { usd }) => sum.plus(usd), new Big(0));
const totals = fc.integer({ min: 1, max: 1_000_000 });
const anyCredit = fc.record({ usd: fc.integer({ min: 1, max: 2_000_000_000 }).map(micros) });

test('credits cover a receipt with its total and what was refunded, in any order, and never with less', () => {
  fc.assert(
    fc.property(totals, fc.array(anyCredit, { maxLength: 6 }), fc.nat({ max: 1_000_000 }), (total, credits, back) => {
      const due = { totalCents: total, refundedCents: back };
      const { covered, missingUsd, surplusUsd } = computeBalance(due, credits);
      const over = sumOf(credits).minus(new Big(back + total).div(100));
      const counts = decisiveCredit(due, credits) !== undefined;
      expect(covered).toBe(counts && over.gte(0));
      if (!covered) expect(new Big(missingUsd).gt(0)).toBe(true);
      expect(surplusUsd).toBe(counts && over.gte('0.01') ? over.toFixed() : '0');
    }),
    { numRuns: 2_000 },
  );
});

test('a buyer who pays in parts, and then what is missing, has paid, with no surplus but dust', () => {
  fc.assert(
    fc.property(totals, fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 6 }), (totalCents, parts) => {
      const due = { totalCents, refundedCents: 0 };
      const credits: Credit[] = [];
      for (const part of [...parts, 1_000]) {
        const { missingUsd } = computeBalance(due, credits);
        // What a page asks for is rounded up to the cent.
        const asked = new Big(missingUsd).times(100).round(0, Big.roundUp).div(100);
        credits.push({ usd: asked.times(part).div(1_000).round(6, Big.roundDown).toFixed() });
      }
      const { covered, surplusUsd } = computeBalance(due, credits);
      expect(covered).toBe(true);
      // Parts that were dust when the rest was asked for.
      expect(isDust(new Big(surplusUsd).minus('0.01'), totalCents)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

const creditOf = fc.record({
  usd: fc.integer({ min: 1, max: 30_000_000 }).map(micros),
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
      expect(balance).toEqual(computeBalance(due, [{ usd: sumOf(credits).toFixed() }]));
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
