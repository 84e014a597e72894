import type { Options } from '@mikro-orm/postgresql';
import { createOrm } from './orm.ts';
import { settleEpoch } from './stream-epoch.ts';

const LOCK = 'select pg_advisory_xact_lock(7157102)';

/**
 * Migrates the database, and begins a new epoch of stream cursors if the database has moved to another PostgreSQL
 * cluster. Idempotent. Concurrent processes wait for each other without a limit.
 */
export async function migrate(databaseUrl: string, entities: NonNullable<Options['entities']>): Promise<void> {
  const orm = await createOrm(databaseUrl, entities, 0);
  const connection = orm.em.getConnection();
  try {
    // The lock lasts as long as the transaction: one process migrates, and the next one finds nothing to do.
    await connection.transactional(async (transaction) => {
      await connection.execute(LOCK, [], 'run', transaction);
      await orm.migrator.up();
    });
    await connection.transactional(async (transaction) => {
      await connection.execute(LOCK, [], 'run', transaction);
      await settleEpoch((text, parameters = []) => connection.execute(text, [...parameters], 'all', transaction));
    });
  } finally {
    await orm.close();
  }
}
