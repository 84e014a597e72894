import { spawn, spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';

/**
 * Kernel locks on files, held for as long as this process lives. The program `flock` locks a descriptor that it
 * inherits. The lock belongs to the open file, which this process shares, so it remains when the program exits. The
 * kernel releases it when this process ends in any way. It also works between containers that share a volume, which
 * process ids do not.
 */
export interface FileLock {
  /** Deletes the file and releases the lock. */
  remove(): void;
  /** Releases the lock and keeps the file. */
  release(): void;
}

/** The descriptor that `flock` inherits. */
const INHERITED_FD = 3;
const ARGS = ['-n', '-x', String(INHERITED_FD)];
/** The exit code of `flock` if another process holds the lock. */
const IS_HELD = 1;

/**
 * Locks a file, and creates it if it is missing. Null if another process holds the lock. Throws if `flock` cannot be
 * run.
 */
export function lockFileSync(path: string): FileLock | null {
  const fd = openSync(path, 'a', 0o600);
  const { status, error } = spawnSync('flock', ARGS, { stdio: ['ignore', 'ignore', 'ignore', fd] });
  return outcomeOf(path, fd, status, error);
}

/** Like `lockFileSync`, without blocking the process. */
export async function lockFile(path: string): Promise<FileLock | null> {
  const fd = openSync(path, 'a', 0o600);
  const child = spawn('flock', ARGS, { stdio: ['ignore', 'ignore', 'ignore', fd] });
  const { status, error } = await new Promise<{ status: number | null; error?: Error }>((resolve) => {
    child.once('error', (fault) => resolve({ status: null, error: fault }));
    child.once('exit', (code) => resolve({ status: code }));
  });
  return outcomeOf(path, fd, status, error);
}

function outcomeOf(path: string, fd: number, status: number | null, error: Error | undefined): FileLock | null {
  if (status === 0 && isSameFile(path, fd)) {
    return {
      remove() {
        rmSync(path, { force: true });
        closeSync(fd);
      },
      release: () => closeSync(fd),
    };
  }
  closeSync(fd);
  if (status === 0 || status === IS_HELD) return null;
  throw new Error(`${path} cannot be locked: the program flock (package util-linux) ${reasonOf(status, error)}`);
}

const reasonOf = (status: number | null, error: Error | undefined): string =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
    ? 'is not installed'
    : `failed (${error?.message ?? status})`;

/** Whether the path still refers to the locked file: another process may have deleted it before it was locked. */
function isSameFile(path: string, fd: number): boolean {
  const { ino, dev } = fstatSync(fd);
  const current = statSync(path, { throwIfNoEntry: false });
  return current !== undefined && current.ino === ino && current.dev === dev;
}
