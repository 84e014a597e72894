import Big from 'big.js';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { choiceNote, confirmationNote, expectedTime, feeNote } from './confirmation-note.ts';

const say = wordsOf('order', 'en');

test.each([
  [0, 'a few seconds'],
  [4_000, 'a few seconds'],
  [12_000, 'about 10 seconds'],
  [54_000, 'about 50 seconds'],
  [60_000, 'about 1 minute'],
  [144_000, 'about 2 minutes'],
  [1_152_000, 'about 19 minutes'],
])('%i ms are %s', (expectedConfirmationMs, words) => {
  expect(confirmationNote(say, { confirmationTag: null, expectedConfirmationMs })).toContain(
    `This usually takes ${words}. There is nothing left`,
  );
});

test('a payment that waits for a tag names it', () => {
  expect(confirmationNote(say, { confirmationTag: 'finalized', expectedConfirmationMs: 60_000 })).toMatch(
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
  expect(expectedTime(say, { expectedConfirmationMs })).toBe(`Usually confirmed within ${words}.`);
});

test('the fee of the network is named to the cent, or as less than one, and its time if it is long', () => {
  const base = (fee: Big | null) => choiceNote(say, { expectedConfirmationMs: 24_000 }, fee);
  expect([base(new Big('0.0004')), base(new Big('1.239')), base(null)]).toEqual([
    ...['30 seconds · under 1¢', '30 seconds · $1.24', '30 seconds'],
  ]);
  expect(choiceNote(say, { expectedConfirmationMs: 2_000 }, new Big('0.0004'))).toBe('under 1¢');
  expect(feeNote(say, new Big('0.009'))).toBe('The network takes less than a cent.');
  expect(feeNote(say, new Big('0.024'))).toBe('The network takes about $0.02.');
});
