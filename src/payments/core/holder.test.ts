import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seenAgain } from '../../quotes/hold.ts';
import { isCertain } from './holder.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TOLERANCE_MS = 15_000;

const requests = fc
  .array(fc.integer({ min: 0, max: 600 }), { minLength: 1, maxLength: 12 })
  .map((minutes) => minutes.sort((a, b) => a - b).map((minute) => minute * MINUTE_MS));
const blockTime = fc.integer({ min: -60, max: 720 }).map((minute) => minute * MINUTE_MS);
const neverSeen = { seenAt: null, seenFrom: null };

test('an amount of several receipts counts for its holder only within the hour after a request of the holder', () => {
  fc.assert(
    fc.property(requests, blockTime, (times, at) => {
      const seen = times.reduce(seenAgain, neverSeen);
      const isExpected = times.some((time) => time - TOLERANCE_MS <= at && at <= time + HOUR_MS);
      if (isCertain({ ...seen, earlier: ['R-0'] }, at)) expect(isExpected).toBe(true);
      expect(isCertain({ ...seen, earlier: [] }, at)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a buyer who keeps the page open is expected to pay at any time until an hour after the last request', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (renewals, part) => {
      const times = Array.from({ length: renewals }, (_, i) => i * 30 * MINUTE_MS);
      const seen = times.reduce(seenAgain, neverSeen);
      const at = part * (times.at(-1)! + HOUR_MS);
      expect(isCertain({ ...seen, earlier: ['R-0'] }, at)).toBe(true);
    }),
  );
});

test('a holder of an earlier version, whose requests are unknown, is certain only if no one held the amount before', () => {
  expect(isCertain({ ...neverSeen, earlier: [] }, 0)).toBe(true);
  expect(isCertain({ ...neverSeen, earlier: ['R-0'] }, 0)).toBe(false);
});
