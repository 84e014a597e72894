import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const projectCache = join(import.meta.dirname, '../../../.cache');

/**
 * A program to start, and what it needs in its environment (the folders of its libraries, where they are not the
 * machine's).
 */
export interface Program {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The path of a program, looked for under several names on PATH and in the folders of system programs. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Whether a file is there and may be run. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The private cache for what Debian's packages give: under the user's home, or in the project where there is none. */
export function cacheFolder(): string {
  for (const folder of [join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'quittance'), projectCache]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {
      // Next one.
    }
  }
  throw new Error('no folder for a cache is writable; set XDG_CACHE_HOME');
}

/**
 * Runs a program to its end and gives its output; its errors are part of what is thrown. `env` is added to this
 * process's own.
 */
export function runProgram(
  file: string,
  args: string[],
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
): string {
  const options = { cwd, env: { ...process.env, ...env } };
  return execFileSync(file, args, {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 << 20,
  });
}
