import pg from 'pg';
import { configFault } from './config.ts';

const TIMEOUT_MS = 5_000;

/** Asks the database of `DATABASE_URL` to let us in, so that a wrong address is told as such before anything else begins. Throws `ConfigFaults`. */
export async function reachDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // Where a name has several addresses, the message is empty.
    const { message, code } = error as NodeJS.ErrnoException;
    throw configFault('DATABASE_URL', `does not let us in: ${message || code}`);
  } finally {
    await client.end().catch(() => {});
  }
}
