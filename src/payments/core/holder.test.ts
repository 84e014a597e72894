import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RECEIPT } from '../../receipts/lifecycle.ts';
import type { Hint } from './hint.ts';
import { isCertain, isClaimed, mayBePaidFrom } from './holder.ts';

const hint: fc.Arbitrary<Hint> = fc.record({
  receiptId: fc.constantFrom('R-holder', 'R-earlier', 'R-oldest', 'R-stranger'),
  status: fc.constantFrom(...RECEIPT.statuses),
  vouched: fc.boolean(),
  vouchedAmount: fc.constant(null),
  signed: fc.boolean(),
});
const hints = fc.array(hint, { maxLength: 4 });
const createdAt = fc.integer({ min: 0, max: 100_000 });
const blockTimeMs = fc.integer({ min: -50_000, max: 1_000_000_000 });
const receiptId = 'R-holder';
const earlier = ['R-earlier', 'R-oldest'];

const own: Hint = { receiptId, status: 'pending', vouched: false, vouchedAmount: null, signed: false };

test('an amount is certain only if no unpaid receipt held it before, at whatever time it is paid', () => {
  expect(isCertain({ earlier: [] })).toBe(true);
  expect(isCertain({ earlier: ['R-earlier'] })).toBe(false);
});

test('a transfer is claimed only by a hint of the holder, whatever the time', () => {
  fc.assert(
    fc.property(hints, createdAt, blockTimeMs, (given, at, time) => {
      const isOwn = given.some((one) => one.receiptId === receiptId);
      const claimed = isClaimed(given, { earlier, createdAt: at }, { receiptId, blockTimeMs: time });
      if (claimed) expect(isOwn && time >= mayBePaidFrom({ createdAt: at })).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('an earlier holder, a signature and a card provider contradict the holder, and a hint of a stranger does not', () => {
  fc.assert(
    fc.property(hints, hint, (given, other) => {
      const isClaimedWith = (...more: Hint[]) =>
        isClaimed([...given, ...more], { earlier, createdAt: 0 }, { receiptId, blockTimeMs: 0 });
      if (other.receiptId === receiptId) return;
      const isRival = other.signed || other.vouched || earlier.includes(other.receiptId);
      if (isRival) expect(isClaimedWith(own, other)).toBe(false);
      else expect(isClaimedWith(own, other)).toBe(isClaimedWith(own));
    }),
    { numRuns: 2_000 },
  );
});

test('a transfer from before the holder was asked for the amount is not the holder’s, except for the clock’s tolerance', () => {
  const claim = (time: number) => isClaimed([own], { earlier, createdAt: 1_000_000 }, { receiptId, blockTimeMs: time });
  expect(claim(1_000_000)).toBe(true);
  expect(claim(985_000)).toBe(true);
  expect(claim(984_999)).toBe(false);
});
