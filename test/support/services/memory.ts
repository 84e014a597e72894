import { chownSync, mkdtempSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
/** The databases of a run need a tenth of it. With less (mostly in containers) they are on disk. */
const ROOM_BYTES = 2 * 1024 ** 3;

/** Makes a folder in memory; null where there is no room for one. */
export function makeMemoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < ROOM_BYTES ? null : mkdtempSync(join(MEMORY, 'quittance-test-'));
  } catch {
    return null;
  }
}

/**
 * Lets every database that is made from now on live in a folder: the template they are all copied from is moved there.
 * A copy has some hundred files, and making those in memory costs a third.
 */
export async function keepDatabasesIn(folder: string, databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ home: string }>(`select current_setting('data_directory') as home`);
    const { uid, gid } = statSync(rows[0]!.home);
    chownSync(folder, uid, gid);
    await client.query(`create tablespace memory location '${folder}'`);
    await client.query('alter database template1 set tablespace memory');
  } finally {
    await client.end();
  }
}
