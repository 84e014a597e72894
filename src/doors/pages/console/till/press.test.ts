import { expect, test } from 'vitest';
import { press } from './press.ts';

const typed = (...keys: string[]) => keys.reduce(press, 0);

test('digits fill the amount from its cents on, 00 adds two of them, and the last can be erased', () => {
  expect(typed('1', '2', '5', '0')).toBe(1_250);
  expect(typed('5', '00')).toBe(500);
  expect(typed('1', '2', 'Backspace')).toBe(1);
  expect(typed('1', '2', 'Delete')).toBe(0);
  expect(typed('0', '00')).toBe(0);
});

test('an amount above ten million is not taken', () => {
  expect(typed('1', '00', '00', '00', '00')).toBe(100_000_000);
  expect(typed('1', '00', '00', '00', '00', '0')).toBe(1_000_000_000);
  expect(typed('1', '00', '00', '00', '00', '0', '1')).toBe(1_000_000_000);
});
