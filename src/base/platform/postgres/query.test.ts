import { expect, test } from 'vitest';
import { testDatabase, testSql } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import { DEFAULT_PRICING } from '../../../domain/shop/merchants/pricing.ts';
import { DEFAULT_SHOP } from '../../../domain/shop/merchants/shop.ts';
import type { Wallet } from '../../core/wallet.ts';
import { createOrm } from '../orm.ts';
import { transact } from '../unit-of-work.ts';
import { queryBuilderOf } from './database.ts';
import { type KeyColumns, keyedQuery, query } from './query.ts';

const SHOP = `0x${'1'.repeat(40)}` as Wallet;

const ADD = query('test-add-merchant', (db, $: { wallet: Wallet; name: string }) =>
  db
    .with('added', (added) =>
      added
        .insertInto('Merchant')
        .values({
          wallet: $.wallet,
          name: $.name,
          brandKey: 'quittance',
          shop: DEFAULT_SHOP,
          pricing: DEFAULT_PRICING,
          version: 1,
          createdAt: 5,
          updatedAt: 5,
        })
        .returning(['wallet', 'brandKey', 'createdAt']),
    )
    .selectFrom('added')
    .selectAll(),
);
const NAMED = query('test-named', (db, $: { name: string }) =>
  db.selectFrom('Merchant').select(['wallet', 'brandKey']).where('name', '=', $.name).where('version', 'in', [1, 2]),
);
const ONE = keyedQuery('test-one-merchant', ['wallet'], (db, key: KeyColumns<{ wallet: Wallet }>) =>
  db.selectFrom('Merchant as m').select(['m.brandKey', 'm.createdAt']).where('m.wallet', '=', key.wallet),
);

test('a prepared statement has named parameters, constants in its text and rows by property name', async () => {
  const db = await testSql();
  expect(await db.run(ADD, { name: 'Shop', wallet: SHOP })).toEqual([
    { wallet: SHOP, brandKey: 'quittance', createdAt: 5 },
  ]);
  expect(await db.run(NAMED, { name: 'Shop' })).toEqual([{ wallet: SHOP, brandKey: 'quittance' }]);
  expect(await db.run(NAMED, { name: "'; --" })).toEqual([]);
});

test('one row is read for each key, and null if there is none', async () => {
  const db = await testSql();
  await db.run(ADD, { name: 'Shop', wallet: SHOP });
  const [there, missing] = await Promise.all([
    db.one(ONE, { wallet: SHOP }),
    db.one(ONE, { wallet: `0x${'2'.repeat(40)}` as Wallet }),
  ]);
  expect(there).toMatchObject({ brandKey: 'quittance', createdAt: 5 });
  expect(missing).toBeNull();
});

test('a unit of work runs the same query in its transaction', async () => {
  const orm = await createOrm(await testDatabase(), entities);
  try {
    const undone = transact(orm, async (uow) => {
      await uow.run(ADD, { name: 'Shop', wallet: SHOP });
      expect(await uow.db.selectFrom('Merchant').select('brandKey').execute()).toEqual([{ brandKey: 'quittance' }]);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await transact(orm, (uow) => uow.run(NAMED, { name: 'Shop' }))).toEqual([]);
  } finally {
    await orm.close();
  }
});

test('two queries with one name, and names that PostgreSQL would truncate, are refused at load', () => {
  expect(() => query('test-named', (db, _: object) => db.selectFrom('Merchant').select('wallet'))).toThrow(
    'test-named',
  );
  expect(() => query('x'.repeat(64), (db, _: object) => db.selectFrom('Merchant').select('wallet'))).toThrow('63');
});

test('the text of a query contains its columns and constants', async () => {
  const orm = await createOrm(await testDatabase(), entities);
  const { text, values } = NAMED.compile(() => queryBuilderOf(orm.em));
  await orm.close();
  expect(text).toBe(
    'select "wallet", "brand_key" as "brandKey" from "merchants" where "name" = $1 and "version" in (1, 2)',
  );
  expect(values({ name: 'Shop' })).toEqual(['Shop']);
});
