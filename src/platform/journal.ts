import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '../core/errors.ts';

/**
 * What was acknowledged while the database was away, kept on disk until it is in the database. One line of JSON an entry, in files of one process each, so
 * that two servers may share a folder.
 */
export interface Journal<Entry> {
  /** Resolves once the entry is on disk (fsynced). Refuses with `datastore_unavailable` where it cannot be written: then nothing was acknowledged. */
  append(entry: Entry): Promise<void>;
  /** Whether there is anything to replay. */
  readonly pending: () => boolean;
  /**
   * Hands every entry to `book`, oldest first, and forgets a file once all of it was booked. `book` must do nothing the second time: a crash in between
   * hands the same entries out again. Throws what `book` throws, and keeps the rest.
   */
  replay(book: (entry: Entry) => Promise<void>): Promise<number>;
  close(): Promise<void>;
}

const OPEN = '.open';
const CLOSED = '.closed';

/** Opens the journal of one kind of entry under `dataDir/journal`. What an earlier process left there is pending. `nowMs` sorts the files of processes. */
export function openJournal<Entry>(dataDir: string, kind: string, nowMs: number): Journal<Entry> {
  const folder = join(dataDir, 'journal', kind);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = `${nowMs.toString(36)}-${process.pid}`;
  let count = 0;
  let file: { handle: FileHandle; path: string /** Bytes that were acknowledged. */; length: number } | null = null;
  let queue: { text: string; done: () => void; failed: (error: unknown) => void }[] = [];
  let writing = false;
  /** Files of processes that are gone are closed; of those that live, each knows its own. */
  const closed = (): string[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith(CLOSED) || (name.endsWith(OPEN) && !isWriting(name, own)))
      .sort();
  let pending = closed().length > 0;

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
    // The folder is synced too, or the file's name could be lost with the machine.
    const parent = await open(folder, 'r');
    await parent.sync().finally(() => parent.close());
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
      let booked = 0;
      for (const name of closed()) {
        for (const entry of entriesOf<Entry>(join(folder, name))) {
          await book(entry);
          booked++;
        }
        rmSync(join(folder, name));
      }
      pending = file !== null || closed().length > 0;
      return booked;
    },
    async close() {
      await file?.handle.close();
      file = null;
    },
  };
}

/** Whether the process that opened a file still writes it. In a container every process may have the same id: an earlier one that had ours is gone. */
function isWriting(name: string, own: string): boolean {
  const [started, pid] = name.split('-');
  if (`${started}-${pid}` === own) return true;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

/** The whole lines of a file. A last line without its end was never acknowledged. */
function entriesOf<Entry>(path: string): Entry[] {
  const text = readFileSync(path, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}
