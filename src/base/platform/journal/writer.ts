import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CLOSED, OPEN, syncFolder } from './folder.ts';

/** Appends lines to the files of one owner. */
export interface JournalWriter {
  /** Resolves once the line is on disk (fsynced). Rejects if it cannot be written. */
  append(line: string): Promise<void>;
  /**
   * Closes the current file, so that it can be replayed while new lines go to the next file. While lines are being
   * written it does nothing.
   */
  rotate(): Promise<void>;
  /** Whether there is a current file. */
  readonly isOpen: () => boolean;
  close(): Promise<void>;
}

interface JournalFile {
  readonly handle: FileHandle;
  readonly path: string;
  /** Acknowledged bytes. */
  length: number;
}

/** Creates the writer of an owner. It creates a file when a line is appended. */
export function createJournalWriter(folder: string, owner: string): JournalWriter {
  let count = 0;
  let file: JournalFile | null = null;
  let queue: { line: string; done: () => void; failed: (error: unknown) => void }[] = [];
  let writing = false;

  /** Writes all queued lines at once and syncs once (group commit). */
  async function write(): Promise<void> {
    if (writing) return;
    writing = true;
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        file ??= await create();
        const bytes = Buffer.from(batch.map(({ line }) => line).join(''));
        await file.handle.appendFile(bytes);
        await file.handle.datasync();
        file.length += bytes.length;
        for (const { done } of batch) done();
      } catch (error) {
        // No line of the batch is acknowledged, so none may be replayed.
        await file?.handle.truncate(file.length).catch(() => {});
        await closeFile().catch(() => {});
        for (const { failed } of batch) failed(error);
      }
    }
    writing = false;
  }

  async function create(): Promise<JournalFile> {
    const path = join(folder, `${owner}-${String(count++).padStart(6, '0')}${OPEN}`);
    const handle = await open(path, 'ax', 0o600);
    await syncFolder(folder);
    return { handle, path, length: 0 };
  }

  async function closeFile(): Promise<void> {
    if (!file) return;
    const { handle, path } = file;
    file = null;
    await handle.close();
    await rename(path, path.slice(0, -OPEN.length) + CLOSED);
  }

  return {
    append: (line) =>
      new Promise((done, failed) => {
        queue.push({ line, done, failed });
        void write();
      }),
    async rotate() {
      if (!writing) await closeFile();
    },
    isOpen: () => file !== null,
    async close() {
      await file?.handle.close();
      file = null;
    },
  };
}
