import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type FileLock, lockFile } from '../files/file-lock.ts';
import { syncFolder } from './folder.ts';

/**
 * Entries that could not be booked: one line of JSON each, with `at` (epoch ms), `reason` and `entry`. A process locks
 * the file while it changes it.
 */
const QUARANTINE = 'quarantine.jsonl';

/** Lines of the quarantine that an operator has discarded. Nothing reads them. */
const DISCARDED = 'discarded.jsonl';

/** An entry that was set aside. */
export interface Quarantined {
  /** Names it among the others: derived from its line. */
  readonly id: string;
  /** When it was set aside, epoch ms. */
  readonly at: number;
  readonly reason: string;
  /** The entry; the text of a line that is not JSON. */
  readonly entry: unknown;
}

interface Line extends Quarantined {
  readonly text: string;
}

/** How often a process asks for the lock that another one has. */
const LOCK_MS = 20;

/** Adds an entry to the quarantine of a folder. Resolves once it is on disk. */
export async function quarantine(folder: string, line: Omit<Quarantined, 'id'>): Promise<void> {
  await whileLocked(folder, () => append(folder, QUARANTINE, [JSON.stringify(line)]));
}

/** The quarantine of a folder, oldest first. */
export const readQuarantine = (folder: string): Quarantined[] => linesOf(folder).map(({ text: _, ...entry }) => entry);

/**
 * Takes entries out of the quarantine for which `settle` resolves with true; the others stay. If it rejects, the rest
 * stays and the error is thrown. After a crash it is called again for entries that it has settled.
 */
export async function settleQuarantine(
  folder: string,
  settle: (one: Quarantined) => Promise<boolean>,
): Promise<readonly Quarantined[]> {
  if (!existsSync(join(folder, QUARANTINE))) return [];
  return whileLocked(folder, async () => {
    const settled: Line[] = [];
    const lines = linesOf(folder);
    try {
      for (const line of lines) if (await settle(line)) settled.push(line);
    } finally {
      await write(
        folder,
        lines.filter((line) => !settled.includes(line)),
      );
    }
    return settled;
  });
}

/** Adds a line of the quarantine to those that are discarded. Resolves once it is on disk. */
export const keepDiscarded = (folder: string, { at, reason, entry }: Quarantined): Promise<void> =>
  append(folder, DISCARDED, [JSON.stringify({ at, reason, entry })]);

async function whileLocked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockWhenFree(join(folder, QUARANTINE));
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function lockWhenFree(path: string): Promise<FileLock> {
  for (;;) {
    const lock = await lockFile(path);
    if (lock) return lock;
    await wait(LOCK_MS);
  }
}

async function append(folder: string, name: string, lines: readonly string[]): Promise<void> {
  const path = join(folder, name);
  const handle = await open(path, 'a', 0o600);
  try {
    // A crash may have left a part of a line, whose entry is still in the journal.
    const before = readFileSync(path, 'utf8');
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    await handle.appendFile(gap + lines.map((line) => `${line}\n`).join(''));
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await syncFolder(folder);
}

/** Replaces the quarantine. */
async function write(folder: string, lines: readonly Line[]): Promise<void> {
  const path = join(folder, QUARANTINE);
  if (lines.length === 0) return rm(path);
  const name = `${QUARANTINE}.next`;
  const next = join(folder, name);
  await rm(next, { force: true });
  await append(
    folder,
    name,
    lines.map(({ text }) => text),
  );
  // A command of root leaves it to the user of the server.
  const { uid, gid } = await stat(path);
  await chown(next, uid, gid);
  await rename(next, path);
  await syncFolder(folder);
}

function linesOf(folder: string): Line[] {
  const path = join(folder, QUARANTINE);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((text) => parsed(text) ?? []);
}

/** Null for a part of a line. */
function parsed(text: string): Line | null {
  try {
    const { at, reason, entry } = JSON.parse(text) as Omit<Quarantined, 'id'>;
    return { id: hash('sha256', text, 'hex').slice(0, 12), at, reason, entry, text };
  } catch {
    return null;
  }
}
