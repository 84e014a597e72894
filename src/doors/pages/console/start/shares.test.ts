import { expect, test } from 'vitest';
import { afterChange, bpsOf, isWallet, ownBps, percentText, platformBps, requestOf, rowsOf } from './shares.ts';

const wallet = (digit: string) => `0x${digit.repeat(40)}`;
const [own, partner, operator] = [wallet('a'), wallet('b'), wallet('c')] as const;

test('shares are typed in percent with at most two decimals', () => {
  expect(['10', '2.5', '2,55 %', '100', '0.01'].map(bpsOf)).toEqual([1000, 250, 255, 10_000, 1]);
  expect(['', '0', '101', '1.234', '-1', 'ten'].map(bpsOf)).toEqual([null, null, null, null, null, null]);
  expect([9_950, 255, 1_000].map(percentText)).toEqual(['99.5 %', '2.55 %', '10 %']);
  expect([isWallet(` ${partner} `), isWallet(partner.slice(1)), isWallet('')]).toEqual([true, false, false]);
});

test('the shop’s wallet gets what the others leave, and the server adds the platform’s usual share', () => {
  const rows = [{ address: ` ${partner}`, percent: '10' }];
  expect(platformBps([], own)).toBe(50);
  expect(ownBps(rows, 50)).toBe(8_950);
  expect(requestOf(rows, own, [])).toEqual([
    { address: own, sharesBps: 8_950 },
    { address: partner, sharesBps: 1_000 },
  ]);
  expect(requestOf([{ address: partner, percent: '99.5' }], own, [])).toEqual([{ address: partner, sharesBps: 9_950 }]);
  expect(ownBps([{ address: partner, percent: '99.6' }], 50)).toBeLessThan(0);
});

test('a split that exists keeps the platform’s share, also an unusual one', () => {
  const before = [
    { address: own, sharesBps: 8_000, platform: false },
    { address: partner, sharesBps: 1_500, platform: false },
    { address: operator, sharesBps: 500, platform: true },
  ];
  const rows = rowsOf(before, own);
  expect(rows).toEqual([{ address: partner, percent: '15' }]);
  expect(requestOf(rows, own, before)).toEqual(before.map(({ address, sharesBps }) => ({ address, sharesBps })));
});

test('a shop whose wallet is the platform’s shares the whole', () => {
  const before = [
    { address: own, sharesBps: 9_000, platform: true },
    { address: partner, sharesBps: 1_000, platform: false },
  ];
  const rows = rowsOf(before, own);
  expect(ownBps(rows, platformBps(before, own))).toBe(9_000);
  expect(requestOf(rows, own, before)).toEqual(before.map(({ address, sharesBps }) => ({ address, sharesBps })));
});

test('the summary of a change names everyone of before and after, and adds up to the whole', () => {
  const before = [
    { address: own, sharesBps: 8_950, platform: false },
    { address: partner, sharesBps: 1_000, platform: false },
    { address: operator, sharesBps: 50, platform: true },
  ];
  const added = wallet('d');
  const changes = afterChange(before, requestOf([{ address: added, percent: '20' }], own, before));
  expect(changes.map(({ address, fromBps, toBps }) => [address, fromBps, toBps])).toEqual([
    [own, 8_950, 7_950],
    [partner, 1_000, 0],
    [operator, 50, 50],
    [added, 0, 2_000],
  ]);
  expect(changes.reduce((sum, { toBps }) => sum + toBps, 0)).toBe(10_000);
});
