import { afterEach, beforeEach, expect, test } from 'vitest';
import { runIn } from '../../../../test/support/statement.ts';
import { entities } from '../../../app/entities.ts';
import { createOrm } from '../../../base/platform/orm.ts';
import { renewEpoch } from '../../../base/platform/stream-epoch.ts';
import { transact } from '../../../base/platform/unit-of-work.ts';
import { readTouches, touchReceipt } from '../../sales/receipts/touch.ts';
import { readSearchLag, SEARCH } from './index-state.ts';
import { indexAll, indexStep } from './indexer.ts';
import { changeReceipt, entriesIn, indexedIds, insertReceipts, OTHER, openShop, SHOP, type Shop } from './test/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`).sort();
const byShell = () => ({ query: shop.run });

test('the first start adds the receipts that are there, and each new row of the history adds its receipt', async () => {
  await insertReceipts(byShell(), { prefix: 'old', count: 450 });
  await insertReceipts(byShell(), { prefix: 'theirs', count: 3, merchant: OTHER });
  expect(await indexAll(shop.db)).toBe(453);
  expect(await indexedIds(shop)).toEqual(numbered('old', 450));
  expect(await indexedIds(shop, OTHER)).toEqual(numbered('theirs', 3));
  await insertReceipts(byShell(), { prefix: 'new', count: 2 });
  expect(await indexAll(shop.db)).toBe(2);
  expect(await indexAll(shop.db)).toBe(0);
  expect(await indexedIds(shop)).toEqual([...numbered('new', 2), ...numbered('old', 450)]);
});

test('no row is missed when transactions commit in another order than they began, and none waits for another', async () => {
  await indexAll(shop.db);
  const slow = await shop.connect();
  const slower = await shop.connect();
  for (const [client, prefix] of [
    [slow, 'slow'],
    [slower, 'slower'],
  ] as const) {
    await client.query('begin');
    await insertReceipts(client, { prefix });
  }
  await insertReceipts(byShell(), { prefix: 'quick' });
  await indexAll(shop.db);
  expect(await indexedIds(shop)).toEqual(['quick1']);
  await slower.query('commit');
  await indexAll(shop.db);
  expect(await indexedIds(shop)).toEqual(['quick1', 'slower1']);
  await insertReceipts(byShell(), { prefix: 'late' });
  await indexAll(shop.db);
  await slow.query('commit');
  await indexAll(shop.db);
  expect(await indexedIds(shop)).toEqual(['late1', 'quick1', 'slow1', 'slower1']);
});

test('a backlog is read in steps, also one that ends within a large transaction, while others are open', async () => {
  await indexAll(shop.db);
  const open = await shop.connect();
  await open.query('begin');
  await insertReceipts(open, { prefix: 'open' });
  for (let i = 0; i < 5; i++) await insertReceipts(byShell(), { prefix: `small${i}-`, count: 30 });
  await insertReceipts(byShell(), { prefix: 'large', count: 700, merchant: OTHER });
  await insertReceipts(byShell(), { prefix: 'last', count: 5 });
  const { more } = await indexStep(shop.db);
  expect(more).toBe(true);
  await open.query('commit');
  expect((await indexAll(shop.db)) + 150).toBe(700 + 5 + 1 + 150);
  expect(await indexedIds(shop, OTHER)).toHaveLength(700);
  expect(await indexedIds(shop)).toHaveLength(150 + 5 + 1);
});

test('a receipt has the terms that it has now: new ones are added and old ones removed', async () => {
  await insertReceipts(byShell(), { prefix: 'r' });
  await indexAll(shop.db);
  expect(await entriesIn(shop, 'r1')).toEqual(['=r1']);
  await changeReceipt(shop, 'r1', `transaction_id = 'Cart 17', billing_address = '{"email": "Ada@Shop.test"}'`);
  await indexAll(shop.db);
  expect(await entriesIn(shop, 'r1')).toEqual(
    ['=17', '=ada@shop.test', '=cart', '=cart 17', '=r1', '^ada@', '^ada@shop', '^ada@shop.tes', '^cart'].sort(),
  );
  await changeReceipt(shop, 'r1', `transaction_id = null`);
  await indexAll(shop.db);
  expect(await entriesIn(shop, 'r1')).toEqual(['=ada@shop.test', '=r1', '^ada@', '^ada@shop', '^ada@shop.tes']);
});

test('a step that failed before its write is repeated as a whole', async () => {
  await indexAll(shop.db);
  await insertReceipts(byShell(), { prefix: 'r', count: 3 });
  await shop.run(`create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$`);
  await shop.run('create trigger refuse before insert on receipt_search for each row execute function refuse()');
  const before = await SEARCH.read(shop.db);
  await expect(indexStep(shop.db)).rejects.toThrow('full');
  expect(await SEARCH.read(shop.db)).toEqual(before);
  expect(await entriesIn(shop, 'r1')).toEqual([]);
  await shop.run('drop trigger refuse on receipt_search');
  expect(await indexAll(shop.db)).toBe(3);
  expect(await indexedIds(shop)).toEqual(['r1', 'r2', 'r3']);
});

test('of concurrent indexers each receipt ends in its last state', async () => {
  await insertReceipts(byShell(), { prefix: 'r', count: 400 });
  await Promise.all([indexAll(shop.db), indexAll(shop.db), indexAll(shop.db)]);
  await indexAll(shop.db);
  expect(await indexedIds(shop)).toHaveLength(400);
  await changeReceipt(shop, 'r7', `status = 'paid', closed_at = 9000`);
  await Promise.all([indexAll(shop.db), indexAll(shop.db)]);
  const [row] = await shop.run(`select facet, paid_at, seq from receipt_search where id = 'r7'`);
  expect(row).toEqual({ facet: 'paid/order/USD', paid_at: '9000', seq: 2 });
});

test('a rebuild repairs rows and terms that are missing or wrong, and searches keep what they have meanwhile', async () => {
  await insertReceipts(byShell(), { prefix: 'r', count: 250 });
  await indexAll(shop.db);
  await shop.run(`delete from receipt_terms where receipt_id = 'r1'`);
  await shop.run(`update receipt_search set facet = 'wrong' where id = 'r2'`);
  await shop.run(`delete from receipt_search where id = 'r3'`);
  await SEARCH.begin(shop.db);
  expect(await indexedIds(shop)).toHaveLength(249);
  expect(await readSearchLag(shop.db, 0)).toEqual({ lagMs: 0, building: true });
  expect(await indexAll(shop.db)).toBe(250);
  expect(await entriesIn(shop, 'r1')).toEqual(['=r1']);
  const rows = await shop.run(`select facet from receipt_search where id in ('r2', 'r3')`);
  expect(rows).toEqual([{ facet: 'generated/order/USD' }, { facet: 'generated/order/USD' }]);
  expect(await readSearchLag(shop.db, 0)).toEqual({ lagMs: 0, building: false });
});

test('new receipts are added while a rebuild goes on', async () => {
  await insertReceipts(byShell(), { prefix: 'r', count: 500 });
  await indexStep(shop.db);
  await insertReceipts(byShell(), { prefix: 'a', count: 1 });
  await indexStep(shop.db);
  expect((await SEARCH.read(shop.db))!.rebuildId).not.toBeNull();
  expect(await indexedIds(shop)).toContain('a1');
});

test('after a new epoch of the streams the search is built again', async () => {
  await insertReceipts(byShell(), { prefix: 'r', count: 2 });
  await indexAll(shop.db);
  await renewEpoch(shop.db);
  await shop.run('delete from receipt_search');
  expect(await indexAll(shop.db)).toBe(2);
  expect(await indexedIds(shop)).toEqual(['r1', 'r2']);
});

test('a touch has a receipt read again although its history has no new row', async () => {
  await insertReceipts(byShell(), { prefix: 'r', count: 2 });
  await indexAll(shop.db);
  const orm = await createOrm(shop.databaseUrl, entities);
  const hash = `0x${'AB'.repeat(32)}`;
  await transact(orm, async (uow) => {
    await runIn(
      uow,
      `insert into submitted_transactions (merchant, receipt_id, transaction_hash, chain_id, submitted_at)
       values ($1, 'r1', $2, 1, 0)`,
      [SHOP, hash],
    );
    await touchReceipt(uow, SHOP, 'r1');
    await touchReceipt(uow, SHOP, 'unknown');
  });
  await orm.close();
  expect(await indexAll(shop.db)).toBe(1);
  expect(await entriesIn(shop, 'r1')).toEqual([`=${hash.toLowerCase()}`, '=r1']);
  expect(await readTouches(shop.db, 10)).toEqual([]);
});

test('the lag is the age of the oldest change that is not indexed', async () => {
  const clock = () => 60_000;
  await indexAll(shop.db);
  expect(await readSearchLag(shop.db, clock())).toEqual({ lagMs: 0, building: false });
  await insertReceipts(byShell(), { prefix: 'r', count: 1, at: 1_000 });
  expect(await readSearchLag(shop.db, clock())).toEqual({ lagMs: 58_999, building: false });
  await indexAll(shop.db);
  expect(await readSearchLag(shop.db, clock())).toEqual({ lagMs: 0, building: false });
});
