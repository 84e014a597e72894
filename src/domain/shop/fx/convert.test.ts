import { expect, test } from 'vitest';
import { convertLines } from './convert.ts';

test('the missing cents go to the largest remainders', () => {
  // 10.842 and twice 5.421: floors 10, 5, 5 of a total of 21.684, rounded to 22.
  expect(convertLines([10, 5, 5], '1.0842')).toEqual({ lineCents: [11, 6, 5], totalCents: 22 });
});

test('a discount is rounded toward minus infinity, and the lines add up to the total', () => {
  expect(convertLines([1000, -333], '1.0842')).toEqual({ lineCents: [1084, -361], totalCents: 723 });
});

test('a line of 0 stays 0', () => {
  expect(convertLines([0, 1, 0], '0.5')).toEqual({ lineCents: [0, 1, 0], totalCents: 1 });
});

test('more than 10,000,000.00 USD is invalid_input', () => {
  expect(() => convertLines([1_000_000_000], '1.0842')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});
