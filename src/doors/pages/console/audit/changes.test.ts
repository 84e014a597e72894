import { expect, test } from 'vitest';
import { changesIn } from './changes.ts';

test('the entries of lists are compared by their key, so that only what differs is shown', () => {
  const before = [
    { address: '0xa', sharesBps: 9500 },
    { address: '0xb', sharesBps: 500 },
  ];
  const after = [
    { address: '0xc', sharesBps: 500 },
    { address: '0xa', sharesBps: 9000 },
    { address: '0xb', sharesBps: 500 },
  ];
  expect(changesIn([{ field: 'recipients', before, after }])).toEqual([
    { path: ['recipients', '0xa', 'sharesBps'], before: 9500, after: 9000 },
    { path: ['recipients', '0xc', 'sharesBps'], before: null, after: 500 },
  ]);
});

test('members of objects have a path, and lists of words are one value', () => {
  expect(
    changesIn([
      { field: 'theme.font', before: 'serif', after: 'sans' },
      { field: 'limits', before: { reads: 1, writes: 2 }, after: { reads: 1, writes: 3 } },
      { field: 'scopes', before: ['a'], after: ['a', 'b'] },
    ]),
  ).toEqual([
    { path: ['theme', 'font'], before: 'serif', after: 'sans' },
    { path: ['limits', 'writes'], before: 2, after: 3 },
    { path: ['scopes'], before: ['a'], after: ['a', 'b'] },
  ]);
});

test('an object that was created shows its values, and lists with equal keys stay whole', () => {
  const twice = [{ code: 'x' }, { code: 'x' }];
  expect(
    changesIn([
      { field: 'limits', before: null, after: { reads: 1, writes: null } },
      { field: 'lines', before: [], after: twice },
    ]),
  ).toEqual([
    { path: ['limits', 'reads'], before: null, after: 1 },
    { path: ['lines'], before: [], after: twice },
  ]);
});
