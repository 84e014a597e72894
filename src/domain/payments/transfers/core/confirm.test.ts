import { expect, test } from 'vitest';
import type { Depth } from '../../../../base/core/finality.ts';
import { RECEIPT } from '../../../sales/receipts/lifecycle.ts';
import { awaitsConfirmations, isDeepEnough } from './confirm.ts';

const at = { head: 100, tagged: { safe: 80, finalized: 60 } };
const unknown = { head: 100, tagged: { safe: null, finalized: null } };

test.each<[number, Depth, typeof at | typeof unknown, boolean]>([
  [100, 0, at, true],
  [98, 2, at, true],
  [99, 2, at, false],
  [80, 'safe', at, true],
  [81, 'safe', at, false],
  [60, 'finalized', at, true],
  [61, 'finalized', at, false],
  [1, 'safe', unknown, false],
  [1, 'finalized', unknown, false],
  [98, 2, unknown, true],
])(
  'block %i with depth %s is deep enough only if the number or the tag has reached it',
  (block, depth, heads, deep) => {
    expect(isDeepEnough(block, depth, heads)).toBe(deep);
  },
);

test('only a receipt whose payment was mined awaits confirmations', () => {
  expect(RECEIPT.statuses.filter((status) => awaitsConfirmations({ status }))).toEqual(['tx_mined']);
});
