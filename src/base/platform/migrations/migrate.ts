import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager, Options } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Logger } from '../log/log.ts';
import { createOrm, MIGRATIONS, type Orm } from '../orm.ts';
import { lockConnection } from '../postgres/advisory-lock.ts';
import { queryBuilderOf } from '../postgres/database.ts';
import { isEpochSettled, settleEpoch } from '../stream-epoch.ts';

/** The advisory lock of the process that migrates. */
const LOCK = 7157102;
const LOCK_RETRY_MS = 250;

/** The first and the longest pause after a migration that could not lock a table in time. */
const RETRY_MS = 500;
const RETRY_MAX_MS = 5_000;
/** Then the start fails: the transaction that holds the table does not end by itself. */
const RETRIES_END_MS = 600_000;
const LOCK_NOT_AVAILABLE = '55P03';
const NO_TABLE = '42P01';

type Entities = NonNullable<Options['entities']>;

/**
 * Runs the pending migrations, one after the other, and begins a new epoch of stream cursors if the database has moved
 * to another PostgreSQL cluster. Idempotent. Concurrent processes wait for each other without a limit.
 *
 * A migration that cannot lock a table within `MIGRATION_LOCK_MS` is rolled back and runs again later, so that requests
 * do not queue behind its lock.
 */
export async function migrate(databaseUrl: string, entities: Entities, log: Logger): Promise<void> {
  await locked(databaseUrl, async () => {
    const orm = await createOrm(databaseUrl, entities, { migrates: true });
    try {
      await migratePending(orm, log);
      await settle(orm);
    } finally {
      await orm.close();
    }
  });
}

/**
 * Runs the work while no other process migrates. Waits for the lock by asking again: a connection that waits within
 * PostgreSQL holds a snapshot, and a process that builds an index concurrently waits for it while it keeps the lock.
 */
async function locked(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  const client = lockConnection(databaseUrl, 'migrations');
  try {
    await client.connect();
    for (;;) {
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]);
      if (rows[0]?.taken) break;
      await pause(LOCK_RETRY_MS);
    }
    await work();
  } finally {
    await client.end();
  }
}

const settle = (orm: Orm): Promise<void> =>
  orm.em.fork().transactional((em) => settleEpoch(queryBuilderOf(em as EntityManager)));

/**
 * Runs what is pending. Each migration is recorded when it is done, so a retry goes on with the one that failed.
 *
 * @param orm its connection must be one for migrations, and no other process may migrate
 * @param to the last migration to run
 */
export async function migratePending(orm: Orm, log: Logger, to?: string): Promise<void> {
  const begunAt = performance.now();
  let current = '';
  const note = ({ name }: { readonly name: string }) => {
    current = name;
  };
  orm.migrator.on('migrating', note);
  try {
    for (let waitMs = RETRY_MS; ; waitMs = Math.min(RETRY_MAX_MS, waitMs * 2)) {
      try {
        await orm.migrator.up(to === undefined ? undefined : { to });
        return;
      } catch (error) {
        const { code } = error as { readonly code?: string };
        if (code !== LOCK_NOT_AVAILABLE || performance.now() - begunAt > RETRIES_END_MS) throw error;
        log.warn({ migration: current, retryMs: waitMs }, 'migration waits for a lock');
        await pause(waitMs);
      }
    }
  } finally {
    orm.migrator.off('migrating', note);
  }
}

/** How the tables compare with this code. Names are those of migrations, the oldest first. */
export interface SchemaState {
  /** This code has them, the database does not. */
  readonly pending: readonly string[];
  /** The database has them, this code does not: a newer version has migrated. */
  readonly unknown: readonly string[];
}

/** The migrations of this code, the oldest first. */
const known = (): string[] =>
  readdirSync(MIGRATIONS)
    .map((file) => parse(file).name)
    .sort();

const DONE = sql<{ name: string }>`select name from mikro_orm_migrations order by name`;

/**
 * Compares the tables with this code. Asks with the connections that the process needs anyway: to prepare a migration
 * takes longer than most commands.
 */
export const readSchemaState = async (orm: Orm): Promise<SchemaState> => schemaStateOf(await namesDone(orm));

/** Compares the names of the migrations that the database has with this code. */
export function schemaStateOf(done: readonly string[]): SchemaState {
  const names = known();
  return {
    pending: names.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !names.includes(name)),
  };
}

async function namesDone(orm: Orm): Promise<string[]> {
  try {
    return (await DONE.execute(queryBuilderOf(orm.em))).rows.map(({ name }) => name);
  } catch (error) {
    if ((error as { readonly code?: string }).code === NO_TABLE) return [];
    throw error;
  }
}

/** Begins the first or a new epoch of stream cursors where one is due. The tables must be up to date. */
export async function ensureEpoch(databaseUrl: string, orm: Orm): Promise<void> {
  if (!(await isEpochSettled(queryBuilderOf(orm.em)))) await locked(databaseUrl, () => settle(orm));
}
