import { expect, test } from 'vitest';
import { defineLifecycle } from './lifecycle.ts';

const LAMP = defineLifecycle(['off'], { off: ['on'], on: ['off', 'broken'], broken: [] });

test('a move is allowed in its direction only, and a final status has none', () => {
  expect(LAMP.statuses).toEqual(['off', 'on', 'broken']);
  expect(LAMP.mayMove('on', 'broken')).toBe(true);
  expect(LAMP.mayMove('broken', 'on')).toBe(false);
  expect(LAMP.mayMove('off', 'broken')).toBe(false);
});

test('the statuses before a status are those that may move to it', () => {
  expect(LAMP.before('off')).toEqual(['on']);
  expect(LAMP.before('broken')).toEqual(['on']);
});
