import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { entities } from '../../../src/app/entities.ts';
import type { Logger } from '../../../src/base/platform/log/log.ts';
import { migratePending, readSchemaState } from '../../../src/base/platform/migrations/migrate.ts';
import { createOrm, MIGRATIONS } from '../../../src/base/platform/orm.ts';
import { createDatabase, testDatabase, withProductionLimits } from '../../support/database.ts';
import { watchLocks } from '../../support/lock-watch.ts';
import { countLackingValues } from './upgrades/lacking-values.ts';
import { fillTable, readGrowingTables } from './upgrades/rows.ts';
import { openShop } from './upgrades/shop.ts';
import { compareSteps, reportSteps, type Step } from './upgrades/steps.ts';
import { readTableDefinitions } from './upgrades/table-definitions.ts';

/** The receipts in the tables. `npm run long -- upgrades` has a million. */
const RECEIPTS = Number(process.env.UPGRADE_RECEIPTS ?? 5_000);
/** Only then a time says anything, and the time limits of production apply. */
const LONG = RECEIPTS > 100_000;
/** The orders between two migrations. */
const ORDERS_BETWEEN = LONG ? 200 : 2;

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A database without tables, and what runs the migrations one by one, as `quittance migrate` does. */
async function openMigrator() {
  const { databaseUrl, drop } = await createDatabase({ empty: true });
  onTestFinished(drop);
  const orm = await createOrm(databaseUrl, entities, { migrates: true });
  onTestFinished(() => orm.close());
  /** The migrations that could not lock a table in time, and ran again. */
  const waits: string[] = [];
  const log = { warn: ({ migration }: { migration: string }) => void waits.push(migration) } as unknown as Logger;
  return {
    databaseUrl,
    waits,
    readState: () => readSchemaState(orm),
    migrate: (to: string) => migratePending(orm, log, to),
    /** Runs an online migration as after a failure behind its last statement. Others cannot fail there. */
    async migrateAgain(name: string): Promise<void> {
      if (!readFileSync(join(MIGRATIONS, `${name}.ts`), 'utf8').includes('extends OnlineMigration')) return;
      await orm.migrator.unlogMigration(name);
      await migratePending(orm, log, name);
    },
  };
}

/** Fills the tables that are new, each with its rows of all receipts. */
function tableFiller(client: pg.Client) {
  const filled = new Set<string>();
  return async () => {
    const tables = await readGrowingTables(client);
    for (const table of tables.names.filter((name) => !filled.has(name))) {
      await fillTable(client, tables, table, RECEIPTS);
      filled.add(table);
    }
  };
}

test(
  'each migration runs on full tables while orders keep coming: none fails, none is lost, no table is locked for long',
  async () => {
    const { databaseUrl, waits, readState, migrate, migrateAgain } = await openMigrator();
    const [client, fresh] = [await connect(databaseUrl), await connect(await testDatabase())];
    const [first, ...later] = (await readState()).pending as [string, ...string[]];
    const fill = tableFiller(client);
    await migrate(first);
    await fill();
    await watchLocks(client);
    const shop = await openShop(LONG ? withProductionLimits(databaseUrl) : databaseUrl, RECEIPTS);
    onTestFinished(() => shop.stop());
    // The first orders of a connection take longer.
    await shop.more(40);
    shop.forget();

    const steps: Step[] = [];
    for (const migration of later) {
      await shop.more(ORDERS_BETWEEN);
      const begun = performance.now();
      shop.during(migration);
      await migrate(migration);
      steps.push({ migration, ms: performance.now() - begun });
      if (!LONG) await migrateAgain(migration);
      shop.during(null);
      // The version before goes on with the tables of its successor, which begins then.
      await shop.more(2);
      await shop.adapt();
      await fill();
    }
    await shop.more(2);
    await shop.stop();

    expect(shop.faults).toEqual([]);
    const { rows: lost } = await client.query(
      `select number from unnest($1::bigint[]) number
        where not exists (select from receipts where id = 'receipt-' || number)
           or not exists (select from receipt_history where receipt_id = 'receipt-' || number)`,
      [shop.placed],
    );
    expect(lost).toEqual([]);
    expect(await readState()).toEqual({ pending: [], unknown: [] });
    expect(await countLackingValues(client)).toEqual({});
    expect(await readTableDefinitions(client)).toEqual(await readTableDefinitions(fresh));
    if (LONG) {
      process.stdout.write(reportSteps(steps, shop, { receipts: RECEIPTS, waits }));
      expect(compareSteps(steps, shop)).toEqual([]);
    }
  },
  LONG ? 3_600_000 : 480_000,
);

test('a statement that reads a full table under a lock is found, and one that holds its lock for a moment is not', async () => {
  const client = await connect(await testDatabase());
  await client.query('create table cups (size int not null, name text, wide int not null unique)');
  await client.query('insert into cups select i, i, i from generate_series(1, 10) i');
  await watchLocks(client);
  for (const statement of [
    'create index cups_size on cups (size)',
    'alter table cups alter column name set not null',
    'alter table cups alter column size type bigint',
    'alter table cups add column at text default gen_random_uuid()::text',
    'alter table cups add column position bigint generated always as identity',
    'alter table cups add constraint cups_check check (size > 0)',
    'alter table cups add primary key (size)',
    'create table plates as select * from cups; create index cups_size on cups (size)',
  ])
    await expect(client.query(statement), statement).rejects.toThrow('all rows of cups under a lock');
  for (const statement of [
    'create unique index concurrently cups_size on cups (size)',
    'alter table cups add primary key using index cups_size',
    "alter table cups add column memo text not null default 'x', alter column name drop not null",
    'alter table cups add constraint cups_check check (size > 0) not valid',
    'alter table cups validate constraint cups_check',
    'create table bowls (size int); insert into bowls select size from cups; create index bowls_size on bowls (size)',
    'alter table cups drop column wide',
    'drop table bowls',
  ])
    await client.query(statement);
});
