import { expect, test } from 'vitest';
import { confirmationNote, expectedTime } from './confirmation-note.ts';

test.each([
  [0, 'a few seconds'],
  [4_000, 'a few seconds'],
  [12_000, 'about 10 seconds'],
  [54_000, 'about 50 seconds'],
  [60_000, 'about 1 minute'],
  [144_000, 'about 2 minutes'],
  [1_152_000, 'about 19 minutes'],
])('%i ms are %s', (expectedConfirmationMs, words) => {
  expect(confirmationNote({ confirmationTag: null, expectedConfirmationMs })).toContain(
    `This usually takes ${words}. There is nothing left`,
  );
});

test('a payment that waits for a tag names it', () => {
  expect(confirmationNote({ confirmationTag: 'finalized', expectedConfirmationMs: 60_000 })).toMatch(
    /^The shop waits until the network calls the payment finalized. This usually takes about 1 minute. There/,
  );
});

test.each([
  [2_000, 'a few seconds'],
  [24_000, '30 seconds'],
  [50_000, '50 seconds'],
  [54_000, '1 minute'],
  [144_000, '3 minutes'],
])('before the payment %i ms are promised as %s, rounded up', (expectedConfirmationMs, words) => {
  expect(expectedTime({ expectedConfirmationMs })).toBe(`Usually confirmed within ${words}.`);
});
