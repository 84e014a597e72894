import type { Orm } from './orm.ts';

/** Brings the database's tables up to date; does nothing where they are. Two processes at once wait for each other. */
export async function migrate(orm: Orm): Promise<void> {
  const connection = orm.em.getConnection();
  // An advisory lock of the session: migrations of one process only, and the second finds nothing left to do.
  await connection.transactional(async (transaction) => {
    await connection.execute('select pg_advisory_xact_lock(7157102)', [], 'run', transaction);
    await orm.migrator.up();
  });
}
