import pg from 'pg';
import { limitsOf } from './connection-limits.ts';

/**
 * A connection of its own for an advisory lock, which PostgreSQL releases when the connection ends. The caller connects
 * it, listens for its end and closes it.
 */
export function lockConnection(databaseUrl: string, name: string, options: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: limitsOf(databaseUrl).connectMs,
    keepAlive: true,
    application_name: `quittance ${name}`,
    ...options,
  });
  // An error ends the connection, which the holder of the lock notices.
  client.on('error', () => {});
  return client;
}

/** Tries to take the advisory lock of this name. Returns whether the connection holds it. */
export async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [name],
  );
  return rows[0]?.taken === true;
}
