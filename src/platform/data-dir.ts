import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder; a relative `DATA_DIR` starts here, from wherever the command was called. */
export const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/** The folder that `DATA_DIR` names, for commands that need no other variable. An empty value counts as unset. */
export function readDataDir(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  return resolve(projectDir, environment.DATA_DIR || '.data');
}
