import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './folder.ts';

/** Entries that could not be booked: one line of JSON each, with `at` (epoch ms), `reason` and `entry`. */
const QUARANTINE = 'quarantine.jsonl';

/** Adds an entry to the quarantine of a folder. Resolves once it is on disk. */
export async function quarantine(folder: string, line: { at: number; reason: string; entry: unknown }): Promise<void> {
  const handle = await open(join(folder, QUARANTINE), 'a', 0o600);
  try {
    await handle.appendFile(`${JSON.stringify(line)}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await syncFolder(folder);
}
