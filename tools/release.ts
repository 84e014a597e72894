/**
 * `npm run release -- 0.2.0`: gives the work since the last release a version. It writes the version wherever it
 * stands, closes the section [Unreleased] of CHANGELOG.md, commits, and makes the tag v0.2.0 with that section as its
 * notes. CONTRIBUTING.md has the rest of the procedure.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.cwd();
const chart = 'docs/run/deploy/helm/quittance';

/** Where the version stands, and what is around it. */
const PLACES: Readonly<Record<string, RegExp>> = {
  'package.json': /(?<=^ {2}"version": ")[^"]+/m,
  'package-lock.json':
    /(?<=^(?: {2}| {6})"version": ")[^"]+(?=",\n(?: {2}"lockfileVersion| {6}"license": "MIT",\n {6}"dependencies))/gm,
  'openapi.json': /(?<="info": \{\n {4}"title": "Quittance",\n {4}"version": ")[^"]+/,
  [`${chart}/Chart.yaml`]: /(?<=^(?:appVersion|version): ).+/gm,
  [`${chart}/README.md`]: /(?<=registry\.example\.com\/quittance:)[\d.]+\d/,
};

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

function release(version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version, as in: npm run release -- 0.2.0');
  if (git('status', '--porcelain') !== '') throw new Error('Commit what has changed first');
  const changelog = read('CHANGELOG.md');
  const [, notes = ''] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|(?![\s\S]))/m.exec(changelog) ?? [];
  if (notes.trim() === '') throw new Error('CHANGELOG.md has nothing under [Unreleased]');
  const current: string = JSON.parse(read('package.json')).version;
  const isNew = git('tag', '--list', 'v*') === '' ? order(current, version) <= 0 : order(current, version) < 0;
  if (!isNew) throw new Error(`${version} is not newer than ${current}`);

  for (const [path, place] of Object.entries(PLACES)) {
    const text = read(path);
    if (text.search(place) < 0) throw new Error(`${path}: no version found`);
    writeFileSync(join(root, path), text.replace(place, version));
  }
  const day = new Date().toISOString().slice(0, 10);
  const closed = changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${day}\n`);
  writeFileSync(join(root, 'CHANGELOG.md'), closed);
  git('add', ...Object.keys(PLACES), 'CHANGELOG.md');
  git('commit', '--quiet', '--message', `release: ${version}`);
  git(
    'tag',
    '--annotate',
    '--cleanup=verbatim',
    '--message',
    `Quittance ${version}\n\n${notes.trim()}\n`,
    `v${version}`,
  );
  process.stdout.write(`Made the tag v${version}. CONTRIBUTING.md says how to publish it.\n`);
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Below zero if `a` is older than `b`. */
function order(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const at = left!.findIndex((part, i) => part !== right![i]);
  return at < 0 ? 0 : left![at]! - right![at]!;
}

try {
  release(process.argv[2] ?? '');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
