import { expect, test } from 'vitest';
import { type StepName, type Steps, stepAfter, stepUrl } from './steps.ts';

const ALL: readonly StepName[] = ['name', 'logo', 'colours', 'split', 'product', 'key', 'order'];
const done = (...names: StepName[]): Steps => ALL.map((step) => ({ step, done: names.includes(step) }));

test('the next step is the first open one after the current, then an earlier one, then the end', () => {
  expect(stepAfter(done('name'), 'logo')).toBe('colours');
  expect(stepAfter(done('name', 'colours', 'split'), 'logo')).toBe('product');
  expect(stepAfter(done('name', 'split', 'product', 'key'), 'order')).toBe('logo');
  // The current step itself is not offered again: it was just done, or left.
  expect(stepAfter(done('name', 'logo', 'colours', 'split', 'product', 'key'), 'order')).toBeNull();
  expect([stepUrl('logo'), stepUrl(null)]).toEqual(['/console/start?step=logo', '/console/start?step=done']);
});
