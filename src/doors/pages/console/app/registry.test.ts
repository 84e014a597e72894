import { expect, test } from 'vitest';
import { PAGES } from './registry.ts';

test('every page of the navigation but Home has a group', () => {
  const without = PAGES.filter(({ icon, group }) => icon !== null && group === undefined);
  expect(without.map(({ name }) => name)).toEqual(['home']);
});
