import { expect, test } from 'vitest';
import { findDrift } from './compile.ts';

test('the checked-in artifacts are what the sources compile to', { timeout: 30_000 }, () => {
  expect(findDrift()).toEqual([]);
});
