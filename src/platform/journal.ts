import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '../core/errors.ts';
import { type FileLock, lockFile, lockFileSync } from './file-lock.ts';

/** Why an entry can never be booked; it is set aside, and the others go on. */
export interface SetAside {
  readonly setAside: string;
}

/** The reason of a line that is no JSON. */
export const UNREADABLE = 'unreadable';

/** What a replay has done. */
export interface Replayed {
  readonly booked: number;
  /** The reasons of the entries that were set aside. */
  readonly setAside: readonly string[];
}

/**
 * What was acknowledged while the database was away, kept on disk until it is in the database. One line of JSON an entry, in files of one process each. A
 * process holds a kernel lock for as long as it lives; the files of another are touched only by the holder of its lock, so that servers may share a folder.
 */
export interface Journal<Entry> {
  /** Resolves once the entry is on disk (fsynced). Refuses with `datastore_unavailable` where it cannot be written: then nothing was acknowledged. */
  append(entry: Entry): Promise<void>;
  /** Whether there is anything to replay. */
  readonly pending: () => boolean;
  /**
   * Hands every entry to `book`, oldest first, and forgets a file once all of it was booked or set aside. `book` must do nothing the second time: a crash
   * in between hands the same entries out again. Throws what `book` throws, and keeps the rest. An entry that `book` sets aside, or that cannot be read, is
   * written to `quarantine.jsonl` first.
   */
  replay(book: (entry: Entry) => Promise<SetAside | undefined>): Promise<Replayed>;
  close(): Promise<void>;
}

const OPEN = '.open';
const CLOSED = '.closed';
const LOCK = '.lock';
/** Entries that could not be booked: a line of JSON each, with `at` (epoch ms), `reason` and `entry`. */
const QUARANTINE = 'quarantine.jsonl';

/** The name of a file is that of its process and a number. */
const ownerOf = (name: string): string => name.replace(/-\d+\.(open|closed)$/, '');

/**
 * Opens the journal of one kind of entry under `dataDir/journal`. What an earlier process left there is pending. Throws where the kernel gives no lock.
 *
 * @param nowMs sorts the files of processes
 */
export function openJournal<Entry>(dataDir: string, kind: string, nowMs: number): Journal<Entry> {
  const folder = join(dataDir, 'journal', kind);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { own, lock } = takeName(folder, nowMs);
  let count = 0;
  let file: { handle: FileHandle; path: string /** Bytes that were acknowledged. */; length: number } | null = null;
  let queue: { text: string; done: () => void; failed: (error: unknown) => void }[] = [];
  let writing = false;
  /** Lines of a file that is handed out again that are in the quarantine already. */
  const isSetAside = new Set<string>();
  let pending = entryFiles(folder).length > 0 || lockedOwners(folder).some((owner) => owner !== own);

  /** Everything that waits is written in one go and synced once: group commit. */
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
        // Nothing of the batch is acknowledged, so nothing of it may be replayed.
        await file?.handle.truncate(file.length).catch(() => {});
        await turnOver().catch(() => {});
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

  /** Takes the file being written out of use, so that it can be replayed while new entries go to the next. */
  async function turnOver(): Promise<void> {
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
    async replay(book) {
      if (!writing) await turnOver();
      const replayed = { booked: 0, setAside: [] as string[] };
      const owners = new Set([...entryFiles(folder).map(ownerOf), ...lockedOwners(folder)]);
      for (const owner of [...owners].sort()) {
        const foreign = owner === own ? null : await lockFile(join(folder, owner + LOCK));
        // Its process lives.
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
      // What a process that lives still holds is its own to replay.
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

/** A name that no other process has, and its lock. */
function takeName(folder: string, nowMs: number): { own: string; lock: FileLock } {
  for (;;) {
    const own = `${nowMs.toString(36)}-${randomBytes(4).toString('hex')}`;
    const lock = lockFileSync(join(folder, own + LOCK));
    if (lock) return { own, lock };
  }
}

/** The files with entries, the oldest first. */
const entryFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(CLOSED) || name.endsWith(OPEN))
    .sort();

/** Processes that have, or had, a lock. */
const lockedOwners = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(LOCK))
    .map((name) => name.slice(0, -LOCK.length));

/** Without it, a file's name could be lost with the machine. */
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

/** The whole lines of a file. A last line without its end was never acknowledged. */
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
