import { expect, test } from 'vitest';
import type { Person } from '../person.ts';
import { createPresenceList } from './presence-list.ts';

const person = (wallet: string, liveSince: number, displayName = wallet): Person => ({
  wallet,
  displayName,
  pfpUrl: '',
  xp: 0,
  languages: [],
  platform: '',
  spaceUrl: '',
  liveSince,
});
const names = (people: readonly Person[]) => people.map(({ displayName }) => displayName);

test('each person is listed once, and the most recent comes first', () => {
  const list = createPresenceList();
  expect(list.apply({ kind: 'joined', person: person('a', 1) })).toBe('came');
  expect(list.apply({ kind: 'joined', person: person('b', 2) })).toBe('came');
  expect(list.apply({ kind: 'joined', person: person('a', 1) })).toBeNull();
  expect(list.apply({ kind: 'changed', person: person('a', 1, 'Ada') })).toBe('changed');
  expect(names(list.latest(10))).toEqual(['b', 'Ada']);
  expect(names(list.latest(1))).toEqual(['b']);
  expect(list.size()).toBe(2);
});

test('after a reconnect, people who left meanwhile are removed once the initial list is complete, and the others stay', () => {
  const list = createPresenceList();
  for (const [n, wallet] of ['a', 'b', 'c'].entries()) list.apply({ kind: 'joined', person: person(wallet, n) });
  list.settle();
  list.begin();
  expect(list.size()).toBe(3);
  expect(list.apply({ kind: 'joined', person: person('a', 0) })).toBeNull();
  expect(list.apply({ kind: 'joined', person: person('d', 9) })).toBe('came');
  expect(list.apply({ kind: 'left', person: person('c', 2) })).toBe('left');
  expect(list.apply({ kind: 'left', person: person('c', 2) })).toBeNull();
  expect(names(list.settle())).toEqual(['b']);
  expect(names(list.latest(10))).toEqual(['d', 'a']);
});
