import { expect, test } from 'vitest';
import { testDatabase, testSql } from '../../../../test/support/database.ts';
import { runStatement, statement } from '../../../../test/support/statement.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { listReceipts } from './newest.ts';

const SHOP = `0x${'1'.repeat(40)}` as Wallet;
const OTHER = `0x${'2'.repeat(40)}` as Wallet;

const INSERT = statement(
  'insert',
  `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items, brand_name, paid_amount, created_at, updated_at)
   values ($1, $2, 'order', 'generated', 'generated', 100, 'USD', '[{"label": "A", "priceCents": 100}]', 'Shop', 123456789012345678901234567890, $3, $3)`,
);
const UPDATE = statement('update', `update receipts set brand_name = $2 where id = $1`);
const DELETE = statement('delete', `delete from receipts where id = $1`);

async function database(): Promise<{ open: () => Promise<{ db: Db }> }> {
  const url = await testDatabase();
  return {
    async open() {
      return { db: await testSql(url) };
    },
  };
}

const insert = ({ db }: { db: Db }, merchant: Wallet, id: string, at: number) =>
  runStatement(db, INSERT, [merchant, id, at]);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

test('a list holds the newest receipts of one merchant, newest first, up to the limit', async () => {
  const deps = await (await database()).open();
  await Promise.all([1, 2, 3].map((at) => insert(deps, SHOP, `r${at}`, at)));
  await insert(deps, OTHER, 'r9', 9);
  expect(idsOf(await listReceipts(deps.db, SHOP, 2))).toEqual(['r3', 'r2']);
  expect(idsOf(await listReceipts(deps.db, SHOP, 200))).toEqual(['r3', 'r2', 'r1']);
  expect(await listReceipts(deps.db, `0x${'3'.repeat(40)}` as Wallet, 10)).toEqual([]);
});

test('after a change of one receipt, the others on the list are the same objects', async () => {
  const deps = await (await database()).open();
  await Promise.all([1, 2, 3].map((at) => insert(deps, SHOP, `r${at}`, at)));
  const [newest, middle, oldest] = await listReceipts(deps.db, SHOP, 3);
  await runStatement(deps.db, UPDATE, ['r2', 'Renamed']);
  const after = await listReceipts(deps.db, SHOP, 3);
  expect(after[0]).toBe(newest);
  expect(after[1]).toMatchObject({ ...middle, brandName: 'Renamed' });
  expect(after[2]).toBe(oldest);
});

test('a list keeps its identity until one of its receipts is written by any process', async () => {
  const { open } = await database();
  const [here, there] = [await open(), await open()];
  await Promise.all([1, 2, 3].map((at) => insert(here, SHOP, `r${at}`, at)));
  const first = await listReceipts(here.db, SHOP, 2);
  expect(await listReceipts(here.db, SHOP, 2)).toBe(first);

  await runStatement(there.db, UPDATE, ['r1', 'Not on the list']);
  expect(await listReceipts(here.db, SHOP, 2)).toBe(first);

  await runStatement(there.db, UPDATE, ['r2', 'Renamed']);
  const second = await listReceipts(here.db, SHOP, 2);
  expect(second.map(({ brandName }) => brandName)).toEqual(['Shop', 'Renamed']);

  await insert(there, SHOP, 'r4', 4);
  expect(idsOf(await listReceipts(here.db, SHOP, 2))).toEqual(['r4', 'r3']);
  await runStatement(there.db, DELETE, ['r4']);
  expect((await listReceipts(here.db, SHOP, 2)).map(({ brandName }) => brandName)).toEqual(['Shop', 'Renamed']);
});

test('concurrent reads of the same list share one result', async () => {
  const deps = await (await database()).open();
  await insert(deps, SHOP, 'r1', 1);
  const lists = await Promise.all(Array.from({ length: 20 }, () => listReceipts(deps.db, SHOP, 100)));
  expect(new Set(lists).size).toBe(1);
});

test('token amounts keep every digit', async () => {
  const deps = await (await database()).open();
  await insert(deps, SHOP, 'r1', 1);
  expect((await listReceipts(deps.db, SHOP, 1))[0]).toMatchObject({
    paidAmount: '123456789012345678901234567890',
    totalCents: 100,
    createdAt: 1,
    lineItems: [{ label: 'A', priceCents: 100 }],
    metadata: null,
  });
});
