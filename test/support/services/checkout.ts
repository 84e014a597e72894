import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/**
 * A copy of some source folders with just the packages they need, for a test under another user or a closed folder.
 * Files are hard links where the file system allows.
 */
export function copyCheckout(target: string, folders: string[], packages: string[]): void {
  copy('package.json', target);
  for (const folder of folders) copy(folder, target);
  const wanted = [...packages];
  const done = new Set<string>();
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const folder = join('node_modules', name);
    if (done.has(name) || !existsSync(join(root, folder))) continue;
    done.add(name);
    copy(folder, target);
    wanted.push(...dependenciesOf(join(root, folder)));
  }
}

/** What a package names, and what the packages nested in it name. */
function dependenciesOf(folder: string): string[] {
  const manifest: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const nested = join(folder, 'node_modules');
  const inner = existsSync(nested) ? readdirSync(nested).filter((name) => !name.startsWith('.')) : [];
  return [...Object.keys(manifest.dependencies ?? {}), ...inner.flatMap((name) => dependenciesOf(join(nested, name)))];
}

function copy(path: string, target: string): void {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  try {
    execFileSync('cp', ['-al', join(root, path), join(target, path)], { stdio: 'ignore' });
  } catch {
    execFileSync('cp', ['-a', join(root, path), dirname(join(target, path))]);
  }
}
