import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../gates/sources.ts';

const chart = 'docs/run/deploy/helm/quittance';
const FILES = ['package.json', 'package-lock.json', 'openapi.json', `${chart}/Chart.yaml`, `${chart}/README.md`];

/** A repository with the files that a release changes. */
function openRepository(changelog: string) {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of FILES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    return stdout.trim();
  };
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  git('add', '.');
  git('commit', '--quiet', '--message=begin');
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'tools/release.ts'), ...args], { cwd: folder, encoding: 'utf8' });
  return { git, release, read: (path: string) => readFileSync(join(folder, path), 'utf8'), folder };
}

const NOTES = '### Added\n\n- One thing.\n\n### Fixed\n\n- Another.';
const CHANGELOG = `# Changelog\n\n## [Unreleased]\n\n${NOTES}\n`;

test('a release has one version everywhere, a dated section of the changelog, and a tag with its notes', () => {
  const { git, release, read } = openRepository(CHANGELOG);
  const { status, stderr } = release('7.8.9');
  expect([status, stderr.replace(/.*ExperimentalWarning.*\n|.*trace-warnings.*\n/g, '')]).toEqual([0, '']);
  expect(JSON.parse(read('package.json')).version).toBe('7.8.9');
  const lock = JSON.parse(read('package-lock.json'));
  expect([lock.version, lock.packages[''].version]).toEqual(['7.8.9', '7.8.9']);
  expect(git('diff', '--numstat', 'HEAD~1', '--', 'package-lock.json')).toMatch(/^2\t2\t/);
  expect(JSON.parse(read('openapi.json')).info.version).toBe('7.8.9');
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version: '7.8.9', appVersion: '7.8.9' });
  expect(read(`${chart}/README.md`)).toContain('quittance:7.8.9');
  expect(read('CHANGELOG.md')).toMatch(/## \[Unreleased\]\n\n## \[7\.8\.9\] - \d{4}-\d\d-\d\d\n\n### Added/);
  expect(git('log', '-1', '--format=%s')).toBe('release: 7.8.9');
  expect(git('tag', '--list', '--format=%(contents)', 'v7.8.9')).toBe(`Quittance 7.8.9\n\n${NOTES}`);
  expect(git('status', '--porcelain')).toBe('');
  expect(release('7.9.0').stderr).toContain('nothing under [Unreleased]');
});

test.each([
  [[], CHANGELOG, 'Name the version'],
  [['v1'], CHANGELOG, 'Name the version'],
  [['0.0.1'], CHANGELOG, '0.0.1 is not newer'],
  [['7.8.9'], '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n', 'nothing under [Unreleased]'],
])('a release that cannot be one changes nothing: %j', (args, changelog, problem) => {
  const { git, release } = openRepository(changelog);
  const { status, stderr } = release(...args);
  expect(status).toBe(1);
  expect(stderr).toContain(problem);
  expect([git('status', '--porcelain'), git('tag'), git('log', '--format=%s')]).toEqual(['', '', 'begin']);
});

test('changes that are not committed stop a release', () => {
  const { release, folder } = openRepository(CHANGELOG);
  writeFileSync(join(folder, 'package.json'), '{}');
  expect(release('7.8.9').stderr).toContain('Commit what has changed first');
});

test('the project itself is not published, and its tarball has no part of the server: its name is that of the client', () => {
  const env = { ...process.env, npm_config_offline: 'true' };
  const npm = (...args: string[]) => spawnSync('npm', args, { cwd: root, encoding: 'utf8', env });
  // npm asks for a token first.
  const { status, stderr } = npm('publish', '--registry=http://127.0.0.1:9', '--//127.0.0.1:9/:_authToken=none');
  expect(status).not.toBe(0);
  expect(stderr).toContain('marked as private');
  // npm always adds the command and the texts for readers.
  const [{ files }] = JSON.parse(npm('pack', '--dry-run', '--json').stdout);
  expect(files.map(({ path }: { path: string }) => path)).toEqual([
    ...['LICENSE', 'README.md', 'package.json', 'src/app/cli/quittance.js'],
  ]);
});
