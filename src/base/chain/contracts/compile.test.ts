import { expect, test } from 'vitest';
import { findDrift } from './compile.ts';

test('the checked-in artifacts equal the compiled sources', { timeout: 90_000 }, () => {
  expect(findDrift()).toEqual([]);
});
