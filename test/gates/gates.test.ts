import { expect, test } from 'vitest';
import { importFaults } from './imports.ts';

test('an import that goes up the house is caught', () => {
  const planted = [{ path: 'src/core/money.ts', text: "import { priceOrder } from '../orders/totals.ts';\n" }];
  expect(importFaults(planted)).toEqual(['src/core/money.ts: core must not import from orders (src/orders/totals.ts)']);
});

test('a type-only import counts, and so does a folder that nobody placed', () => {
  const planted = [
    { path: 'src/chain/client.ts', text: "import type { Deps } from '../platform/deps.ts';\n" },
    { path: 'src/misc/any.ts', text: '' },
  ];
  expect(importFaults(planted)).toHaveLength(2);
});

test('imports within the order pass', () => {
  expect(
    importFaults([{ path: 'src/orders/totals.ts', text: "import { applyRate } from '../core/money.ts';\n" }]),
  ).toEqual([]);
});
