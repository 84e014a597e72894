import pg from 'pg';
import { configFault } from './config.ts';

const TIMEOUT_MS = 5_000;

/**
 * Connects to the database of a variable once, so that a wrong URL is reported before the start. Throws `ConfigFaults`.
 */
export async function reachDatabase(
  name: 'DATABASE_URL' | 'DATABASE_SESSION_URL',
  connectionString: string,
): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // The message is empty if a name has several addresses.
    const { message, code } = error as NodeJS.ErrnoException;
    throw configFault(name, `cannot be connected to: ${message || code}`);
  } finally {
    await client.end().catch(() => {});
  }
}
