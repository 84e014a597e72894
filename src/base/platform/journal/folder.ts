import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileLock, lockFileSync } from '../files/file-lock.ts';

/** The ends of file names: entries being written, entries that are complete, and the lock of an owner. */
export const OPEN = '.open';
export const CLOSED = '.closed';
export const LOCK = '.lock';

/** The entries of a folder that are not booked yet. */
export interface JournalSize {
  readonly bytes: number;
  /** When the oldest file was created, epoch ms; null without one. */
  readonly since: number | null;
}

/** The owner in a file name, which consists of the owner and a number. */
export const ownerOf = (name: string): string => name.replace(/-\d+\.(open|closed)$/, '');

/** Chooses a unique owner name, and locks it. */
export function takeName(folder: string, nowMs: number): { own: string; lock: FileLock } {
  for (;;) {
    const own = `${nowMs.toString(36)}-${randomBytes(4).toString('hex')}`;
    const lock = lockFileSync(join(folder, own + LOCK));
    if (lock) return { own, lock };
  }
}

/** The files with entries, oldest first. */
export const entryFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(CLOSED) || name.endsWith(OPEN))
    .sort();

/** Whether an owner has files with entries. */
export const hasEntries = (folder: string, owner: string): boolean =>
  existsSync(folder) && entryFiles(folder).some((name) => ownerOf(name) === owner);

/** What waits in a folder. A file that another process removes meanwhile is booked. */
export function sizeOf(folder: string): JournalSize {
  const files = entryFiles(folder).flatMap((name) => statSync(join(folder, name), { throwIfNoEntry: false }) ?? []);
  const filled = files.filter(({ size }) => size > 0);
  return {
    bytes: filled.reduce((sum, { size }) => sum + size, 0),
    since: filled.length === 0 ? null : Math.min(...filled.map(({ birthtimeMs }) => birthtimeMs)),
  };
}

/** The owners of lock files, running or not. */
export const lockedOwners = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(LOCK))
    .map((name) => name.slice(0, -LOCK.length));

/** Without this sync a new file name could be lost in a crash of the machine. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
