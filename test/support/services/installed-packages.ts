import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, runProgram } from './programs.ts';

/** The folder in the cache where `installPackages` puts the packages of this name. */
export const packagesFolder = (name: string): string => join(cacheFolder(), name);

/**
 * Installs packages that the project does not depend on into its cache: those of the lockfile in `source`, whose files
 * are copied too. Installs nothing if the installed ones are those of the lockfile. Returns the folder.
 */
export function installPackages(name: string, source: string): string {
  const folder = packagesFolder(name);
  cpSync(source, folder, { recursive: true });
  const [wanted, installed] = [join(folder, 'package-lock.json'), join(folder, 'node_modules/.installed-lock.json')];
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted))) return folder;
  runProgram('npm', ['ci', '--no-audit', '--no-fund'], folder);
  cpSync(wanted, installed);
  return folder;
}
