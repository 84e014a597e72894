import { expect, test } from 'vitest';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { defineAllPages } from '../../src/base/platform/keyset.ts';
import { definedQueries } from '../../src/base/platform/postgres/query.ts';
import { searchUsers } from '../../src/domain/people/users/test/requests.ts';
import { openProcess } from '../../src/domain/people/users/test/scene.ts';
import { SORT_FIELDS } from '../../src/domain/reports/receipt-search/order.ts';
import { collectQuery, type Driver, scanQuery, streamQuery } from '../../src/domain/reports/receipt-search/sources.ts';
import { listItems, readItemPage } from '../../src/domain/shop/catalog/test/requests.ts';
import { testDatabase } from '../support/database.ts';
import { statementFaults } from './statements.ts';

const SHOP = `0x${'1'.repeat(40)}` as Wallet;
const ITEMS = { q: 'a', category: 'b', taxable: 'true', stock: 'in', priceMin: '1', priceMax: '2', tags: 'c' };

test('statements that depend on the given conditions have the stated columns, with all conditions and in any order', async () => {
  const deps = await openProcess();
  await searchUsers(deps, { q: 'a', domains: 'b', platforms: 'c', languages: 'd', minXp: 1, maxXp: 2, live: true });
  for (const sort of ['name', 'sku', 'priceUsd', 'stockQty', 'updatedAt'])
    for (const tagsMode of ['any', 'all']) {
      const query = { ...ITEMS, sort, tagsMode };
      await readItemPage(deps.db, SHOP, query);
      listItems(deps.db, SHOP, query);
    }
  defineAllPages();
  const variants = definedQueries().filter(({ name }) => /^(users-search|items|count-items|walk)/.test(name));
  expect(variants.length).toBeGreaterThanOrEqual(100);
  expect(await statementFaults(await testDatabase(), variants)).toEqual([]);
});

test('the statements of searches for receipts have the stated columns, for every driver and order', async () => {
  const range = { first: '=a', last: '=b' };
  const streams: Driver[] = [
    { kind: 'all' },
    { kind: 'entry', entry: '=a' },
    { kind: 'facets' },
    { kind: 'attention' },
  ];
  const collections: Driver[] = [{ kind: 'entries', ...range }, { kind: 'paid' }, { kind: 'totals' }];
  const orders = SORT_FIELDS.flatMap((field) => (['asc', 'desc'] as const).map((direction) => ({ field, direction })));
  const scans = [null, ...streams.filter(({ kind }) => kind !== 'facets')];
  const variants = orders.flatMap((order) => [
    ...scans.map((driver) => scanQuery(driver, order.direction)),
    ...streams.map((driver) => streamQuery(driver, order)),
    ...[...collections, ...streams.slice(2)].map((driver) => collectQuery(driver, order)),
  ]);
  expect(await statementFaults(await testDatabase(), variants)).toEqual([]);
});
