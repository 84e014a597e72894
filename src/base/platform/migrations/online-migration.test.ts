import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { watchLocks } from '../../../../test/support/lock-watch.ts';
import { entities } from '../../../app/entities.ts';
import { createOrm } from '../orm.ts';
import { OnlineMigration } from './online-migration.ts';

/** More rows than a batch has, with one of their two keys twice. */
const CUPS = 2_500;

/** A table of cups, and what runs an online migration of it. A step that reads them all under a lock fails. */
async function openCups() {
  const databaseUrl = await testDatabase();
  const [client, other] = [0, 1].map(() => new pg.Client({ connectionString: databaseUrl })) as [pg.Client, pg.Client];
  const orm = await createOrm(databaseUrl, entities, { migrates: true });
  await Promise.all([client.connect(), other.connect()]);
  onTestFinished(async () => void (await Promise.all([client.end(), other.end(), orm.close()])));
  await client.query('create table cups (shelf text, number bigint, size int, primary key (shelf, number))');
  await client.query("insert into cups select 'shelf ' || i % 2, i / 2, i from generate_series(1, $1::int) i", [CUPS]);
  await watchLocks(client);
  const run = (up: (migration: Steps) => Promise<void>) => up(new Steps(orm.em.getDriver(), orm.config));
  const read = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;
  return { client, other, run, read };
}

/** The steps of a migration, open to the tests. */
class Steps extends OnlineMigration {
  override async up(): Promise<void> {}
  override updateInBatches = super.updateInBatches;
  override setKey = super.setKey;
  override setNotNull = super.setNotNull;
  override addFilledColumn = super.addFilledColumn;
  override addIdentity = super.addIdentity;
}

test('rows are updated in batches in the order of a key of several columns, each a transaction of its own', async () => {
  const { run, read } = await openCups();
  const update = { set: 'size = size + 10000', where: 'size < 10000 and number > 3' };
  await run((migration) => migration.updateInBatches('cups', update));
  const left = await read('select count(*)::int as count, max(number)::int as last from cups where size < 10000');
  expect(left).toEqual([{ count: 7, last: 3 }]);
  expect(await read('select distinct size - number * 2 as off from cups where number > 3 order by off')).toEqual([
    { off: '10000' },
    { off: '10001' },
  ]);
  expect(await read('select count(distinct xmin::text)::int as batches from cups where number > 3')).toEqual([
    { batches: 3 },
  ]);
});

test('a batch gives up a row that a request holds, and what was done until then stays', async () => {
  const { other, run, read } = await openCups();
  await other.query('begin');
  await other.query("update cups set size = size where shelf = 'shelf 1' and number = 1000");
  const update = { set: 'size = -1', where: 'size <> -1' };
  await expect(run((migration) => migration.updateInBatches('cups', update))).rejects.toMatchObject({ code: '55P03' });
  const done = async () => (await read('select count(*)::int as count from cups where size = -1'))[0]?.count;
  expect(await done()).toBe(2_000);
  await other.query('commit');
  await run((migration) => migration.updateInBatches('cups', update));
  expect(await done()).toBe(CUPS);
});

test('a key gets other columns, and a second one is added, with indexes that are built concurrently', async () => {
  const { run, read } = await openCups();
  const again = (migration: Steps) =>
    migration
      .setKey('cups', 'cups_pkey', { kind: 'primary key', columns: ['number', 'shelf'] })
      .then(() => migration.setKey('cups', 'cups_size_unique', { kind: 'unique', columns: ['size'] }));
  await run(again);
  const keys = `select conname as name, pg_get_constraintdef(c.oid) as key, conindid::text as index
    from pg_constraint c where conrelid = 'cups'::regclass and contype in ('p', 'u') order by name`;
  const first = await read(keys);
  expect(first).toMatchObject([
    { name: 'cups_pkey', key: 'PRIMARY KEY (number, shelf)' },
    { name: 'cups_size_unique', key: 'UNIQUE (size)' },
  ]);
  await run(again);
  expect(await read(keys)).toEqual(first);
  expect(await read("select indexname from pg_indexes where tablename = 'cups' order by 1")).toEqual([
    { indexname: 'cups_pkey' },
    { indexname: 'cups_size_unique' },
  ]);
});

test('a column that is not null and differs by row is added and filled, also for rows that are inserted meanwhile', async () => {
  const { client, run, read } = await openCups();
  const column = { type: 'xid8', value: 'pg_current_xact_id()' };
  const add = (migration: Steps) => migration.addFilledColumn('cups', 'txid', column);
  await run(add);
  await client.query("insert into cups values ('shelf 3', 1, 1)");
  const filled =
    'select count(*)::int as rows, count(txid)::int as filled, count(distinct txid)::int as kinds from cups';
  const now = [{ rows: CUPS + 1, filled: CUPS + 1, kinds: 4 }];
  expect(await read(filled)).toEqual(now);
  await run(add);
  expect(await read(filled)).toEqual(now);
  await expect(client.query("insert into cups values ('shelf 3', 2, 1, null)")).rejects.toThrow('not-null');
  expect(await read("select conname from pg_constraint where conrelid = 'cups'::regclass and contype = 'c'")).toEqual(
    [],
  );
});

test('an identity is added to a table in use, and goes on after the numbers that it has given', async () => {
  const { client, run, read } = await openCups();
  const add = (migration: Steps) => migration.addIdentity('cups', 'position');
  await run(add);
  await run(add);
  await client.query("insert into cups values ('shelf 3', 1, 1), ('shelf 3', 2, 2)");
  const [row] =
    await read(`select count(distinct position)::int as positions, max(position)::int - count(*)::int as gap,
    min(position)::int as first from cups`);
  expect(row).toEqual({ positions: CUPS + 2, gap: 1, first: 1 });
  await expect(client.query("insert into cups values ('shelf 3', 3, 3, 7)")).rejects.toThrow('non-DEFAULT value');
  expect(await read("select relname from pg_class where relkind = 'S' and relname like 'cups%'")).toEqual([
    { relname: 'cups_position_seq' },
  ]);
});
