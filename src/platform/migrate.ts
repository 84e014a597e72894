import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import type { EntityManager, Options } from '@mikro-orm/postgresql';
import { type Kysely, sql } from 'kysely';
import { type Database, queryBuilderOf } from './database.ts';
import { createOrm, MIGRATIONS, type Orm } from './orm.ts';
import { isEpochSettled, settleEpoch } from './stream-epoch.ts';

const LOCK = sql`select pg_advisory_xact_lock(7157102)`;

/**
 * Migrates the database, and begins a new epoch of stream cursors if the database has moved to another PostgreSQL
 * cluster. Idempotent. Concurrent processes wait for each other without a limit.
 */
export async function migrate(databaseUrl: string, entities: NonNullable<Options['entities']>): Promise<void> {
  const orm = await createOrm(databaseUrl, entities, 0);
  // The lock lasts as long as the transaction: one process migrates, and the next one finds nothing to do.
  const locked = (work: (db: Kysely<Database>) => Promise<unknown>) =>
    orm.em.fork().transactional(async (em) => {
      const db = queryBuilderOf(em as EntityManager);
      await LOCK.execute(db);
      await work(db);
    });
  try {
    await locked(() => orm.migrator.up());
    await locked(settleEpoch);
  } finally {
    await orm.close();
  }
}

const DONE = sql<{ name: string }>`select name from mikro_orm_migrations`;
const NO_TABLE = '42P01';

/**
 * Whether `migrate` has nothing to do. Asks with the connections that the process needs anyway: to prepare a migration
 * takes longer than most commands.
 */
export async function isMigrated(orm: Orm): Promise<boolean> {
  const db = queryBuilderOf(orm.em);
  try {
    const done = new Set((await DONE.execute(db)).rows.map(({ name }) => name));
    return readdirSync(MIGRATIONS).every((file) => done.has(parse(file).name)) && (await isEpochSettled(db));
  } catch (error) {
    if ((error as { readonly code?: string }).code === NO_TABLE) return false;
    throw error;
  }
}
