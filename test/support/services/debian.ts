import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, findProgram, runProgram } from './programs.ts';

/**
 * Downloads Debian packages with the libraries they name and unpacks them into the cache, without root and without
 * installing anything. Gives the folder that stands for `/`. The second call for the same name finds it there.
 */
export function unpackDebian(name: string, packages: string[]): string {
  const folder = join(cacheFolder(), `${name}-${process.arch}`);
  const draft = `${folder}.${process.pid}`;
  try {
    if (readdirSync(folder).length > 0) return folder;
  } catch {
    // Not there yet.
  }
  if (!findProgram('apt-get') || !findProgram('dpkg')) throw new Error('there is no apt-get here');
  mkdirSync(draft, { recursive: true });
  try {
    download(packages, draft);
    for (const file of readdirSync(draft).filter((entry) => entry.endsWith('.deb'))) {
      runProgram('dpkg', ['-x', join(draft, file), draft]);
      rmSync(join(draft, file));
    }
    try {
      renameSync(draft, folder);
    } catch (error) {
      // Another run was faster; its copy is as good.
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
    return folder;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What a program unpacked there needs in its environment: the folders of its libraries. */
export function environmentOf(root: string): Record<string, string> {
  const folders = [join(root, 'usr/lib'), join(root, 'lib')].flatMap((folder) => {
    try {
      return readdirSync(folder).map((entry) => join(folder, entry));
    } catch {
      return [];
    }
  });
  return { LD_LIBRARY_PATH: folders.filter((folder) => folder.includes('-linux-')).join(':') };
}

/**
 * With the machine's package lists; where they are missing or old, with fresh ones in the cache, which needs no root.
 */
function download(packages: string[], folder: string): void {
  try {
    fetchPackages(packages, folder, []);
  } catch {
    const state = join(cacheFolder(), 'apt');
    mkdirSync(join(state, 'lists/partial'), { recursive: true });
    mkdirSync(join(state, 'cache/archives/partial'), { recursive: true });
    const options = [`Dir::State::lists=${state}/lists`, `Dir::Cache=${state}/cache`].flatMap((option) => [
      '-o',
      option,
    ]);
    runProgram('apt-get', [...options, ...sandbox, 'update']);
    fetchPackages(packages, folder, options);
  }
}

const sandbox = process.getuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : [];

function fetchPackages(packages: string[], folder: string, options: string[]): void {
  const libraries = runProgram('apt-cache', [...options, 'depends', '--important', ...packages])
    .split('\n')
    .map((line) => /^\s*\|?Depends: (lib[\w.+-]+|lua-[\w.+-]+)$/.exec(line)?.[1])
    .filter((name) => name !== undefined)
    .filter((name) => name !== 'libc6' && !isInstalled(name));
  runProgram('apt-get', [...options, ...sandbox, 'download', ...packages, ...new Set(libraries)], folder);
}

function isInstalled(name: string): boolean {
  try {
    return runProgram('dpkg-query', ['--status', name]).includes('\nStatus: install ok installed\n');
  } catch {
    return false;
  }
}
