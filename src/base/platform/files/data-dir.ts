import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { projectDir } from './project-dir.ts';

/**
 * The folder of `DATA_DIR`, for commands that need no other variable. An empty value counts as unset. A relative one is
 * resolved against the project's folder, whatever the working directory.
 */
export function readDataDir(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  return resolve(projectDir, environment.DATA_DIR || '.data');
}

/** Whether a folder is writable, or can be created. */
export function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return isWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
