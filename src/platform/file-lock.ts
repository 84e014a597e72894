import { spawn, spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';

/**
 * Locks of the kernel on files, for as long as their holder lives. The program `flock` takes the lock on a descriptor that it inherits. The lock belongs to
 * the open file, which this process shares, so it stays when the program ends; it is gone when this process ends, however that happens, and holds between
 * containers that share a volume. Process ids prove neither.
 */
export interface FileLock {
  /** Deletes the file and lets go of the lock. */
  remove(): void;
  /** Lets go of the lock; the file stays. */
  release(): void;
}

/** The descriptor that `flock` inherits. */
const INHERITED_FD = 3;
const ARGS = ['-n', '-x', String(INHERITED_FD)];
/** How `flock` ends where another process holds the lock. */
const IS_HELD = 1;

/** Takes the lock of a file, which is made where there is none; null where another process holds it. Throws where `flock` cannot be run. */
export function lockFileSync(path: string): FileLock | null {
  const fd = openSync(path, 'a', 0o600);
  const { status, error } = spawnSync('flock', ARGS, { stdio: ['ignore', 'ignore', 'ignore', fd] });
  return outcomeOf(path, fd, status, error);
}

/** The same without blocking the process. */
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
  if (status === 0 && isStillNamed(path, fd)) {
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

/** Whether the name still leads to the locked file: another process may have deleted it before the lock was taken. */
function isStillNamed(path: string, fd: number): boolean {
  const { ino, dev } = fstatSync(fd);
  const named = statSync(path, { throwIfNoEntry: false });
  return named !== undefined && named.ino === ino && named.dev === dev;
}
