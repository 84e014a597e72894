import type { Options } from '@mikro-orm/postgresql';
import { createOrm } from './orm.ts';

/** Brings the database's tables up to date; does nothing where they are. Two processes at once wait for each other, as long as it takes. */
export async function migrate(databaseUrl: string, entities: NonNullable<Options['entities']>): Promise<void> {
  const orm = await createOrm(databaseUrl, entities, 0);
  const connection = orm.em.getConnection();
  try {
    // The lock is the transaction's: migrations of one process only, and the second finds nothing left to do.
    await connection.transactional(async (transaction) => {
      await connection.execute('select pg_advisory_xact_lock(7157102)', [], 'run', transaction);
      await orm.migrator.up();
    });
  } finally {
    await orm.close();
  }
}
