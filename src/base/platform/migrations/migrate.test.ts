import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase, testDatabase } from '../../../../test/support/database.ts';
import { until } from '../../../../test/support/program.ts';
import { entities } from '../../../app/entities.ts';
import { createLog, type Logger } from '../log/log.ts';
import { createOrm } from '../orm.ts';
import { migrate, readSchemaState } from './migrate.ts';
import { OnlineMigration } from './online-migration.ts';
import { prepareTables, schemaFault } from './prepare-tables.ts';

const log = createLog('silent');

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function openOrm(databaseUrl: string, options: { migrates?: boolean } = {}) {
  const orm = await createOrm(databaseUrl, entities, options);
  onTestFinished(() => orm.close());
  return orm;
}

/** A database without tables. */
async function emptyDatabase(): Promise<string> {
  const { databaseUrl, drop } = await createDatabase({ empty: true });
  onTestFinished(drop);
  return databaseUrl;
}

test('two processes migrate an empty database at once, and both find it up to date', async () => {
  const databaseUrl = await emptyDatabase();
  const orm = await openOrm(databaseUrl);
  expect((await readSchemaState(orm)).pending.length).toBeGreaterThan(40);
  await Promise.all([migrate(databaseUrl, entities, log), migrate(databaseUrl, entities, log)]);
  expect(await readSchemaState(orm)).toEqual({ pending: [], unknown: [] });
});

const HEADS = 'Migration20261124130000_heads_of_chains';

test('a migration gives up its place behind a long transaction, so that others write, and runs when it ends', async () => {
  const databaseUrl = await testDatabase();
  const [holder, writer] = await Promise.all([connect(databaseUrl), connect(databaseUrl)]);
  await holder.query('alter table receipts drop column created_heads; drop table chain_reorganizations');
  await holder.query('delete from mikro_orm_migrations where name = $1', [HEADS]);
  await holder.query('begin');
  await holder.query('lock table receipts in row exclusive mode');
  const waits: string[] = [];
  const warn = ({ migration }: { migration: string }) => void waits.push(migration);
  const migrating = migrate(databaseUrl, entities, { warn } as unknown as Logger);
  await until(() => waits.length >= 2);
  expect(waits[0]).toBe(HEADS);
  await writer.query("update receipts set status = 'generated'");
  await holder.query('commit');
  await migrating;
  expect(await readSchemaState(await openOrm(databaseUrl))).toEqual({ pending: [], unknown: [] });
});

test('an index is built concurrently beside a long transaction, and again after a build that failed', async () => {
  const databaseUrl = await testDatabase();
  const [holder, reader] = await Promise.all([connect(databaseUrl), connect(databaseUrl)]);
  const orm = await openOrm(databaseUrl, { migrates: true });
  class Cups extends OnlineMigration {
    override async up(): Promise<void> {
      await this.inBatches('update cups set size = 0 where ctid in (select ctid from cups where size is null limit 2)');
      await this.addCheck('cups', 'cups_size_there', 'size is not null');
      await this.createIndex('cups_size', 'on cups (size)', { unique: true });
      await this.dropIndex('cups_old');
    }
  }
  const run = () => new Cups(orm.em.getDriver(), orm.config).up();
  const valid = async () =>
    (await reader.query("select indisvalid from pg_index where indexrelid = 'cups_size'::regclass")).rows;
  await holder.query('create table cups (size int); create index cups_old on cups (size)');
  await holder.query('insert into cups values (null), (null), (null), (1)');
  await expect(run()).rejects.toThrow('cups_size');
  expect(await valid()).toEqual([{ indisvalid: false }]);

  await reader.query(
    'update cups set size = n from (select ctid as at, 1 + row_number() over () as n from cups) c where cups.ctid = at',
  );
  await holder.query('begin');
  await holder.query('insert into cups values (100)');
  const again = run();
  const waiting =
    "select 1 from pg_stat_activity where query ~ '^(create|drop).* concurrently' and wait_event_type = 'Lock'";
  // Longer than a migration in a transaction may wait.
  const isWaiting = `${waiting} and now() - state_change > interval '1 s'`;
  await until(async () => (await reader.query(isWaiting)).rows.length > 0);
  await reader.query('insert into cups values (101)');
  await holder.query('commit');
  await again;
  expect(await valid()).toEqual([{ indisvalid: true }]);
  await run();
});

test('without the right to migrate, a start on older tables is refused with what is pending and the command', async () => {
  const databaseUrl = await emptyDatabase();
  const orm = await openOrm(databaseUrl);
  const settings = { databaseSessionUrl: databaseUrl, acceptsNewerSchema: false };
  const refused = expect.objectContaining({
    lines: [
      expect.stringMatching(/older than this version: \d+ migrations are pending, from Migration.*quittance migrate$/),
    ],
  });
  await expect(prepareTables(orm, entities, settings, { migrates: false, log })).rejects.toEqual(refused);
  await migrate(databaseUrl, entities, log);
  await prepareTables(orm, entities, settings, { migrates: false, log });
});

test('tables that a newer version has migrated are refused, or accepted if nothing was taken away', () => {
  const newer = { pending: [], unknown: ['Migration20991231000000_memo'] };
  expect(schemaFault(newer, { migrates: true, newer: false })).toMatch(/newer than this version: it has Migration2099/);
  expect(schemaFault(newer, { migrates: true, newer: true })).toBeNull();
  const contract = { pending: [], unknown: [...newer.unknown, 'Migration20991231000001_contract_memo'] };
  expect(schemaFault(contract, { migrates: true, newer: true })).toMatch(
    /lacks what this version needs.*contract_memo/,
  );
});
