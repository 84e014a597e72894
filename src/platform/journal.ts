import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '../core/errors.ts';
import { type FileLock, lockFile, lockFileSync } from './file-lock.ts';

/** Why an entry can never be booked. It is set aside, and the replay continues. */
export interface SetAside {
  readonly setAside: string;
}

/** The reason for a line that is not JSON. */
export const UNREADABLE = 'unreadable';

/** The result of a replay. */
export interface Replayed {
  readonly booked: number;
  /** The reasons of the entries that were set aside. */
  readonly setAside: readonly string[];
}

/**
 * Entries that were acknowledged while the database was away, stored on disk until they are in the database. Each entry
 * is a line of JSON. Each process writes its own files, and holds a kernel lock as long as it lives. A process touches
 * the files of another one only after it has acquired that lock, so servers may share a folder.
 */
export interface Journal<Entry> {
  /**
   * Resolves once the entry is on disk (fsynced). Throws `datastore_unavailable` if it cannot be written.
   */
  append(entry: Entry): Promise<void>;
  /** Whether there are entries to replay. */
  readonly pending: () => boolean;
  /** What waits in the folder, of every process that shares it. */
  size(): JournalSize;
  /**
   * Passes every entry to `book`, oldest first, and deletes a file once all of its entries were booked or set aside.
   * `book` must be idempotent: after a crash the same entries are passed again. Throws the errors of `book`, and keeps
   * the rest. An entry that `book` sets aside, or that cannot be parsed, is first written to `quarantine.jsonl`.
   */
  replay(book: (entry: Entry) => Promise<SetAside | undefined>): Promise<Replayed>;
  close(): Promise<void>;
}

/** The entries of a folder that are not booked yet. */
interface JournalSize {
  readonly bytes: number;
  /** When the oldest file was created, epoch ms; null without one. */
  readonly since: number | null;
}

const OPEN = '.open';
const CLOSED = '.closed';
const LOCK = '.lock';
/** Entries that could not be booked: one line of JSON each, with `at` (epoch ms), `reason` and `entry`. */
const QUARANTINE = 'quarantine.jsonl';

/** The owner in a file name, which consists of the owner and a number. */
const ownerOf = (name: string): string => name.replace(/-\d+\.(open|closed)$/, '');

/**
 * Opens the journal of one kind of entry under `dataDir/journal`. Entries of earlier processes are pending. Throws if
 * the lock cannot be acquired.
 *
 * @param nowMs orders the files of processes
 */
export function openJournal<Entry>(dataDir: string, kind: string, nowMs: number): Journal<Entry> {
  const folder = join(dataDir, 'journal', kind);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { own, lock } = takeName(folder, nowMs);
  let count = 0;
  let file: { handle: FileHandle; path: string /** Acknowledged bytes. */; length: number } | null = null;
  let queue: { text: string; done: () => void; failed: (error: unknown) => void }[] = [];
  let writing = false;
  /** Lines that are in the quarantine already, for a file that is replayed again. */
  const isSetAside = new Set<string>();
  let pending = entryFiles(folder).length > 0 || lockedOwners(folder).some((owner) => owner !== own);

  /** Writes all queued entries at once and syncs once (group commit). */
  async function write(): Promise<void> {
    if (writing) return;
    writing = true;
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        file ??= await create();
        const bytes = Buffer.from(batch.map(({ text }) => text).join(''));
        await file.handle.appendFile(bytes);
        await file.handle.datasync();
        file.length += bytes.length;
        for (const { done } of batch) done();
      } catch (error) {
        // No entry of the batch is acknowledged, so none may be replayed.
        await file?.handle.truncate(file.length).catch(() => {});
        await rotate().catch(() => {});
        for (const { failed } of batch) failed(error);
      }
    }
    writing = false;
  }

  async function create() {
    const path = join(folder, `${own}-${String(count++).padStart(6, '0')}${OPEN}`);
    const handle = await open(path, 'ax', 0o600);
    await syncFolder(folder);
    return { handle, path, length: 0 };
  }

  /** Closes the current file, so that it can be replayed while new entries go to the next file. */
  async function rotate(): Promise<void> {
    if (!file) return;
    const { handle, path } = file;
    file = null;
    await handle.close();
    await rename(path, path.slice(0, -OPEN.length) + CLOSED);
  }

  async function replayFile(name: string, book: (entry: Entry) => Promise<SetAside | undefined>): Promise<Replayed> {
    const setAside: string[] = [];
    let booked = 0;
    for (const [number, line] of linesOf(join(folder, name)).entries()) {
      const place = `${name}:${number}`;
      if (isSetAside.has(place)) continue;
      const entry = parsed<Entry>(line);
      const outcome = entry === null ? { setAside: UNREADABLE } : await book(entry);
      if (outcome) {
        await quarantine(folder, { at: Date.now(), reason: outcome.setAside, entry: entry ?? line });
        isSetAside.add(place);
        setAside.push(outcome.setAside);
      } else booked++;
    }
    rmSync(join(folder, name));
    return { booked, setAside };
  }

  return {
    append(entry) {
      return new Promise((resolve, reject) => {
        queue.push({
          text: `${JSON.stringify(entry)}\n`,
          done: () => {
            pending = true;
            resolve();
          },
          failed: () => reject(refuse('datastore_unavailable')),
        });
        void write();
      });
    },
    pending: () => pending,
    size: () => sizeOf(folder),
    async replay(book) {
      if (!writing) await rotate();
      const replayed = { booked: 0, setAside: [] as string[] };
      const owners = new Set([...entryFiles(folder).map(ownerOf), ...lockedOwners(folder)]);
      for (const owner of [...owners].sort()) {
        const foreign = owner === own ? null : await lockFile(join(folder, owner + LOCK));
        // Its process is running.
        if (owner !== own && !foreign) continue;
        try {
          for (const name of entryFiles(folder)) {
            if (ownerOf(name) !== owner || (owner === own && name.endsWith(OPEN))) continue;
            const { booked, setAside } = await replayFile(name, book);
            replayed.booked += booked;
            replayed.setAside.push(...setAside);
          }
        } catch (error) {
          foreign?.release();
          throw error;
        }
        foreign?.remove();
      }
      // Files of a running process are replayed by that process.
      pending = file !== null || entryFiles(folder).some((name) => ownerOf(name) === own);
      return replayed;
    },
    async close() {
      await file?.handle.close();
      file = null;
      if (existsSync(folder) && entryFiles(folder).some((name) => ownerOf(name) === own)) lock.release();
      else lock.remove();
    },
  };
}

/** Chooses a unique owner name, and locks it. */
function takeName(folder: string, nowMs: number): { own: string; lock: FileLock } {
  for (;;) {
    const own = `${nowMs.toString(36)}-${randomBytes(4).toString('hex')}`;
    const lock = lockFileSync(join(folder, own + LOCK));
    if (lock) return { own, lock };
  }
}

/** The files with entries, oldest first. */
const entryFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(CLOSED) || name.endsWith(OPEN))
    .sort();

/** A file that another process removes meanwhile is booked. */
function sizeOf(folder: string): JournalSize {
  const files = entryFiles(folder).flatMap((name) => statSync(join(folder, name), { throwIfNoEntry: false }) ?? []);
  const filled = files.filter(({ size }) => size > 0);
  return {
    bytes: filled.reduce((sum, { size }) => sum + size, 0),
    since: filled.length === 0 ? null : Math.min(...filled.map(({ birthtimeMs }) => birthtimeMs)),
  };
}

/** The owners of lock files, running or not. */
const lockedOwners = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(LOCK))
    .map((name) => name.slice(0, -LOCK.length));

/** Without this sync a new file name could be lost in a crash of the machine. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

async function quarantine(folder: string, line: { at: number; reason: string; entry: unknown }): Promise<void> {
  const handle = await open(join(folder, QUARANTINE), 'a', 0o600);
  try {
    await handle.appendFile(`${JSON.stringify(line)}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await syncFolder(folder);
}

/** The complete lines of a file. An incomplete last line was never acknowledged. */
function linesOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
}

function parsed<Entry>(line: string): Entry | null {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return null;
  }
}
