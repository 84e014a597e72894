import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from './documents.ts';
import { root, type Source, sources, tests } from './sources.ts';

/** As many as a newcomer can choose from; hooks count. What takes hours is a row of `test/long/programs.ts`. */
export const MAX_SCRIPTS = 15;

const INSTALL = 'src/app/cli/install.js';

/** Scripts beyond the maximum, scripts that do not install first, and mentions of scripts that there are not. */
export function scriptFaults(
  scripts: Readonly<Record<string, string>> = packageScripts(),
  files: readonly Source[] = [...sources(), ...tests(), ...documents()],
): string[] {
  const names = Object.keys(scripts);
  const faults = names
    .filter((name) => !scripts[name]!.startsWith(`${INSTALL} `))
    .map((name) => `package.json: the script ${name} does not begin with ${INSTALL}`);
  if (names.length > MAX_SCRIPTS)
    faults.push(`package.json: ${names.length} scripts, more than the maximum of ${MAX_SCRIPTS}: merge some`);
  for (const { path, text } of files)
    for (const [mention, name] of text.matchAll(/\bnpm run ([a-z][\w:]*)/g))
      if (!names.includes(name!)) faults.push(`${path}: there is no script for "${mention}"`);
  return [...faults, ...programFaults(names, scripts)];
}

/** Programs of the project that scripts call, and that the shell cannot run. */
function programFaults(names: readonly string[], scripts: Readonly<Record<string, string>>): string[] {
  const programs = new Set(names.flatMap((name) => scripts[name]!.match(/(?<=^|&& )src\/\S+/g) ?? []));
  return [...programs].filter((path) => !isExecutable(path)).map((path) => `${path} is not executable: chmod +x`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(join(root, path), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The scripts of package.json, by their names. */
export const packageScripts = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
