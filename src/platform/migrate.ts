import type { Options } from '@mikro-orm/postgresql';
import { createOrm } from './orm.ts';
import { settleEpoch } from './stream-epoch.ts';

const LOCK = 'select pg_advisory_xact_lock(7157102)';

/**
 * Brings the database's tables up to date, and begins a new epoch of stream cursors where the database was moved to another PostgreSQL cluster. Does
 * nothing where neither is needed. Two processes at once wait for each other, as long as it takes.
 */
export async function migrate(databaseUrl: string, entities: NonNullable<Options['entities']>): Promise<void> {
  const orm = await createOrm(databaseUrl, entities, 0);
  const connection = orm.em.getConnection();
  try {
    // The lock is the transaction's: migrations of one process only, and the second finds nothing left to do.
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
