import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

const INSTALL = new URL('../../../src/app/cli/install.js', import.meta.url);
const run = promisify(execFile);

/** Notes its arguments, and makes the file by which npm knows its packages. */
const NPM = `#!/bin/sh
echo "$1 $2 $3" >> "$PWD/npm.log"
mkdir -p node_modules
if [ "$1" = ci ]; then rm -f node_modules/.quittance-*; fi
touch node_modules/.package-lock.json
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-install-'));
  mkdirSync(join(folder, 'src/app/cli'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  copyFileSync(INSTALL, join(folder, 'src/app/cli/install.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'bin/npm'), NPM);
  chmodSync(join(folder, 'bin/npm'), 0o755);
  lock('first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lock = (content: string) => writeFileSync(join(folder, 'package-lock.json'), content);
const install = (...args: string[]) =>
  run(process.execPath, [join(folder, 'src/app/cli/install.js'), ...args], {
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` },
  });
/** What npm was run with since the last look. */
function ran(): string[] {
  const file = join(folder, 'npm.log');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(file, { force: true });
  return lines;
}

test('a start installs what a server needs, once', async () => {
  await install();
  expect(ran()).toEqual(['ci --omit=dev --prefer-offline']);
  await install();
  expect(ran()).toEqual([]);
});

test('tests add their packages and replace none; a later start installs nothing', async () => {
  await install();
  ran();
  await install('--dev');
  expect(ran()).toEqual(['install --no-save --include=dev']);
  await install('--dev');
  await install();
  expect(ran()).toEqual([]);
});

test('tests on a bare machine install everything at once, and a checkout with their packages keeps them', async () => {
  await install('--dev');
  expect(ran()).toEqual(['ci --include=dev --prefer-offline']);
  lock('second');
  await install();
  expect(ran()).toEqual(['ci --include=dev --prefer-offline']);
  await install('--dev');
  expect(ran()).toEqual([]);
});

test.each(['src/app/cli/main.ts', '.cache/program-0123456789abcdef/main.js'])(
  'packages are left as they are while a process runs %s',
  async (path) => {
    await install();
    ran();
    const program = join(folder, path);
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, 'setInterval(() => {}, 60_000);');
    const running = spawn(process.execPath, [program], { stdio: 'ignore' });
    onTestFinished(async () => {
      running.kill();
      await once(running, 'exit');
    });
    await once(running, 'spawn');
    lock('second');
    expect((await install()).stderr).toContain(`process ${running.pid} runs from it: left as it is`);
    expect(ran()).toEqual([]);
  },
);
