import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '../core/errors.ts';
import { lockFile } from './files/file-lock.ts';
import {
  entryFiles,
  hasEntries,
  type JournalSize,
  LOCK,
  lockedOwners,
  OPEN,
  ownerOf,
  sizeOf,
  takeName,
} from './journal/folder.ts';
import { keepDiscarded, type Quarantined, quarantine, readQuarantine, settleQuarantine } from './journal/quarantine.ts';
import { createJournalWriter } from './journal/writer.ts';

/** Why an entry can never be booked. It is set aside, and the replay continues. */
export interface SetAside {
  readonly setAside: string;
}

/** The reason for a line that is not JSON. */
export const UNREADABLE = 'unreadable';

const UNREADABLE_ENTRY: SetAside = { setAside: UNREADABLE };

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
  /** The entries that were set aside, by every process that shares the folder. */
  quarantined(): readonly Quarantined[];
  /**
   * Passes the entries that were set aside to `book` again. Those that it books leave the quarantine. Returns how many,
   * and why the others stay. Throws the errors of `book`, and keeps the rest.
   */
  retry(book: Book<Entry>): Promise<Replayed>;
  /** Takes an entry out of the quarantine, unbooked, and keeps its line. Returns null if there is none with this id. */
  discard(id: string): Promise<Quarantined | null>;
  close(): Promise<void>;
}

/** Where the entries of one kind are. */
const folderOf = (dataDir: string, kind: string): string => join(dataDir, 'journal', kind);

/** The entries that were set aside, without opening the journal. */
export const quarantinedIn = (dataDir: string, kind: string): readonly Quarantined[] =>
  readQuarantine(folderOf(dataDir, kind));

/**
 * Opens the journal of one kind of entry under `dataDir/journal`. Entries of earlier processes are pending. Throws if
 * the lock cannot be acquired.
 *
 * @param nowMs orders the files of processes
 */
export function openJournal<Entry>(dataDir: string, kind: string, nowMs: number): Journal<Entry> {
  const folder = folderOf(dataDir, kind);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { own, lock } = takeName(folder, nowMs);
  const writer = createJournalWriter(folder, own);
  const replayFile = fileReplayer<Entry>(folder);
  let pending = entryFiles(folder).length > 0 || lockedOwners(folder).some((owner) => owner !== own);

  /** Replays the files of an owner, except the one that this process writes. */
  async function replayOwner(owner: string, book: Book<Entry>): Promise<Replayed> {
    const names = entryFiles(folder).filter(
      (name) => ownerOf(name) === owner && !(owner === own && name.endsWith(OPEN)),
    );
    const replayed: Replayed[] = [];
    for (const name of names) replayed.push(await replayFile(name, book));
    return sumOf(replayed);
  }

  return {
    async append(entry) {
      await writer.append(`${JSON.stringify(entry)}\n`).catch(() => {
        throw refuse('datastore_unavailable');
      });
      pending = true;
    },
    pending: () => pending,
    size: () => sizeOf(folder),
    async replay(book) {
      await writer.rotate();
      const replayed: Replayed[] = [];
      const owners = new Set([...entryFiles(folder).map(ownerOf), ...lockedOwners(folder)]);
      for (const owner of [...owners].sort()) {
        const foreign = owner === own ? null : await lockFile(join(folder, owner + LOCK));
        // Its process is running.
        if (owner !== own && !foreign) continue;
        try {
          replayed.push(await replayOwner(owner, book));
        } catch (error) {
          foreign?.release();
          throw error;
        }
        foreign?.remove();
      }
      // Files of a running process are replayed by that process.
      pending = writer.isOpen() || hasEntries(folder, own);
      return sumOf(replayed);
    },
    quarantined: () => readQuarantine(folder),
    async retry(book) {
      const reasons: string[] = [];
      const settled = await settleQuarantine(folder, async ({ entry }) => {
        const outcome = typeof entry === 'object' && entry !== null ? await book(entry as Entry) : UNREADABLE_ENTRY;
        if (outcome) reasons.push(outcome.setAside);
        return outcome === undefined;
      });
      return { booked: settled.length, setAside: reasons };
    },
    async discard(id) {
      const [discarded] = await settleQuarantine(folder, async (one) => {
        if (one.id !== id) return false;
        await keepDiscarded(folder, one);
        return true;
      });
      return discarded ?? null;
    },
    async close() {
      await writer.close();
      if (hasEntries(folder, own)) lock.release();
      else lock.remove();
    },
  };
}

type Book<Entry> = (entry: Entry) => Promise<SetAside | undefined>;

/** Makes the function that replays one file of a folder, and deletes it afterwards. */
function fileReplayer<Entry>(folder: string): (name: string, book: Book<Entry>) => Promise<Replayed> {
  /** Why lines are in the quarantine already, for a file that is replayed again: the failed replay reported nothing. */
  const reasons = new Map<string, string>();
  return async (name, book) => {
    const setAside: string[] = [];
    let booked = 0;
    for (const [number, line] of linesOf(join(folder, name)).entries()) {
      const place = `${name}:${number}`;
      const known = reasons.get(place);
      if (known !== undefined) {
        setAside.push(known);
        continue;
      }
      const entry = parsed<Entry>(line);
      const outcome = entry === null ? UNREADABLE_ENTRY : await book(entry);
      if (outcome) {
        await quarantine(folder, { at: Date.now(), reason: outcome.setAside, entry: entry ?? line });
        reasons.set(place, outcome.setAside);
        setAside.push(outcome.setAside);
      } else booked++;
    }
    rmSync(join(folder, name));
    return { booked, setAside };
  };
}

const sumOf = (parts: readonly Replayed[]): Replayed => ({
  booked: parts.reduce((sum, { booked }) => sum + booked, 0),
  setAside: parts.flatMap(({ setAside }) => setAside),
});

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
