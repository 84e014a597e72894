import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { createDb, type Db } from '../../src/base/platform/db.ts';
import { createLog } from '../../src/base/platform/log/log.ts';
import { migrate } from '../../src/base/platform/migrations/migrate.ts';
import { createOrm } from '../../src/base/platform/orm.ts';

const migrationsDir = join(import.meta.dirname, '../../migrations');

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** On a machine with other work, concurrent transactions wait longer for each other than production allows. */
const LIMITS = 'connect_timeout=60&options=-c%20statement_timeout%3D60000';

const urlOf = (database: string) =>
  Object.assign(new URL(inject('databaseUrl')), { pathname: `/${database}`, search: LIMITS }).href;

/** The migrated template that every test's database is cloned from; made once per run and set of migrations. */
async function makeTemplate(): Promise<string> {
  const digest = createHash('sha256');
  for (const file of readdirSync(migrationsDir).sort()) digest.update(readFileSync(join(migrationsDir, file)));
  const name = `template_${digest.digest('hex').slice(0, 16)}`;
  await asAdmin(async (client) => {
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name]);
    if (rowCount) return;
    await client.query(`create database ${name}`);
    await migrate(urlOf(name), entities, createLog('silent'));
    await client.query(`alter database ${name} is_template true`);
  });
  return name;
}

let made: Promise<string> | undefined;
let count = 0;

/**
 * A database of the test's own, with every table unless it is to be empty; dropped when the test, or the `drop` of a
 * suite, is done.
 */
export async function createDatabase({ empty = false } = {}): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  if (!empty) made ??= makeTemplate();
  const from = empty ? 'template0' : await made;
  const name = `test_${process.pid}_${Date.now()}_${count++}`;
  await asAdmin((client) => client.query(`create database ${name} template ${from} strategy file_copy`));
  return {
    databaseUrl: urlOf(name),
    drop: () => asAdmin(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}

/** The URL of a test's database with the time limits of production. */
export const withProductionLimits = (databaseUrl: string): string =>
  Object.assign(new URL(databaseUrl), { search: '' }).href;

/** The same for one test, dropped when it is finished. */
export async function testDatabase(): Promise<string> {
  const { databaseUrl, drop } = await createDatabase();
  onTestFinished(drop);
  return databaseUrl;
}

/**
 * The prepared-statement connections to a test's database, without anything else of a server; closed when the test is
 * finished.
 */
export async function testSql(databaseUrl?: string): Promise<Db> {
  const { db, close } = await openSql(databaseUrl ?? (await testDatabase()));
  onTestFinished(close);
  return db;
}

/** A database for a suite, with its prepared-statement connections and a client. `close` drops the database. */
export async function openTables(): Promise<{ db: Db; client: pg.Client; close(): Promise<void> }> {
  const { databaseUrl, drop } = await createDatabase();
  const { db, close } = await openSql(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    db,
    client,
    async close() {
      await Promise.all([close(), client.end()]);
      await drop();
    },
  };
}

/** The prepared-statement connections for a suite, which closes them itself. */
export async function openSql(databaseUrl: string): Promise<{ db: Db; close(): Promise<void> }> {
  const orm = await createOrm(databaseUrl, entities);
  const db = createDb(databaseUrl, orm, createLog('silent'));
  return {
    db,
    async close() {
      await Promise.all([db.close(), orm.close()]);
    },
  };
}

/**
 * Begins a transaction that holds the locks of a statement, so that other statements wait for it. It is rolled back
 * when the test is finished, unless it is committed.
 */
export async function holdLocks(databaseUrl: string, statement: string, values: readonly unknown[] = []) {
  // A transaction keeps the activity that it has read first, so the waiting is read on a connection of its own.
  const [holder, observer] = [databaseUrl, databaseUrl].map((connectionString) => new pg.Client({ connectionString }));
  await Promise.all([holder!.connect(), observer!.connect()]);
  onTestFinished(async () => void (await Promise.all([holder!.end(), observer!.end()])));
  await holder!.query('begin');
  await holder!.query(statement, [...values]);
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    /** Resolves when this number of statements waits. */
    async untilWaiting(count: number): Promise<void> {
      await expect.poll(async () => (await observer!.query(waiting)).rows[0].count).toBe(count);
    },
    async commit(): Promise<void> {
      await holder!.query('commit');
    },
  };
}
