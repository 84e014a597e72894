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

test('everybody is there once, however often told of, and who came last comes first', () => {
  const crowd = createPresenceList();
  expect(crowd.take({ kind: 'joined', person: person('a', 1) })).toBe('came');
  expect(crowd.take({ kind: 'joined', person: person('b', 2) })).toBe('came');
  expect(crowd.take({ kind: 'joined', person: person('a', 1) })).toBeNull();
  expect(crowd.take({ kind: 'changed', person: person('a', 1, 'Ada') })).toBe('changed');
  expect(names(crowd.latest(10))).toEqual(['b', 'Ada']);
  expect(names(crowd.latest(1))).toEqual(['b']);
  expect(crowd.size()).toBe(2);
});

test('a stream that begins again is believed: who left meanwhile goes when it has told of everybody, the others stay all the while', () => {
  const crowd = createPresenceList();
  for (const [n, wallet] of ['a', 'b', 'c'].entries()) crowd.take({ kind: 'joined', person: person(wallet, n) });
  crowd.settle();
  crowd.begin();
  expect(crowd.size()).toBe(3);
  expect(crowd.take({ kind: 'joined', person: person('a', 0) })).toBeNull();
  expect(crowd.take({ kind: 'joined', person: person('d', 9) })).toBe('came');
  expect(crowd.take({ kind: 'left', person: person('c', 2) })).toBe('left');
  expect(crowd.take({ kind: 'left', person: person('c', 2) })).toBeNull();
  expect(names(crowd.settle())).toEqual(['b']);
  expect(names(crowd.latest(10))).toEqual(['d', 'a']);
});
