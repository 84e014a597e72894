import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lockFile } from '../files/file-lock.ts';
import type { ProcessMark } from './process.ts';

export interface PostgresRecord extends ProcessMark {
  port: number;
}

export interface ChainRecord extends ProcessMark {
  port: number;
  chainId: number;
}

/** One use of the services: the process, and a ticket, because one process may use them several times. */
interface UserRecord extends ProcessMark {
  ticket: string;
}

/** The running services of one data directory, stored in its `services.json`. */
export interface ServicesRecord {
  postgres?: PostgresRecord;
  chain?: ChainRecord;
  /** The second local chain. */
  slowChain?: ChainRecord;
  /** The users of the services. The last one to leave stops them. */
  users: UserRecord[];
  /** Started by `quittance services start`: only `services stop` stops them. */
  kept: boolean;
}

/** Reads the record; an absent or unreadable record counts as empty. */
export function readRecord(dataDir: string): ServicesRecord {
  try {
    const record: Partial<ServicesRecord> = JSON.parse(readFileSync(recordFile(dataDir), 'utf8'));
    return { ...record, users: record.users ?? [], kept: record.kept ?? false };
  } catch {
    return { users: [], kept: false };
  }
}

/** Replaces the record atomically. Requires `withRecordLock`. */
export function writeRecord(dataDir: string, record: ServicesRecord): void {
  const draft = `${recordFile(dataDir)}.draft`;
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, recordFile(dataDir));
}

/** Removes the record, if there is one. */
export function removeRecord(dataDir: string): void {
  rmSync(recordFile(dataDir), { force: true });
}

/** How long a process waits for another one that starts or stops the services. */
const WAIT_MS = 60_000;
const RETRY_MS = 100;

/** Runs `work` while no other process starts or stops services of this data directory. */
export async function withRecordLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Versions before this one have a folder of the name `services.lock`.
  const path = join(dataDir, 'services.flock');
  const deadline = performance.now() + WAIT_MS;
  let lock = await lockFile(path);
  while (lock === null) {
    if (performance.now() > deadline) throw new Error(`${path}: another process holds the lock`);
    await pause(RETRY_MS);
    lock = await lockFile(path);
  }
  try {
    return await work();
  } finally {
    lock.remove();
  }
}

/** Reads a secret of the data directory. If it is missing, creates it with `create`. Requires `withRecordLock`. */
export function keepSecret(dataDir: string, name: string, create: () => string): string {
  const file = join(dataDir, name);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = create();
  writeFileSync(`${file}.draft`, `${secret}\n`, { mode: 0o600 });
  chmodSync(`${file}.draft`, 0o600);
  renameSync(`${file}.draft`, file);
  return secret;
}

function recordFile(dataDir: string): string {
  return join(dataDir, 'services.json');
}
