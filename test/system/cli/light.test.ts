import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { root } from '../../gates/sources.ts';
import { makeDataDir, until } from '../../support/program.ts';

const KEY = `qk_${'k'.repeat(43)}`;

/**
 * Runs a command and answers the packages and the project's districts that it has loaded, from the first module to
 * the last.
 */
function loadedBy(args: readonly string[]): { packages: string[]; districts: string[]; code: number | null } {
  const dataDir = makeDataDir();
  const hook = join(dataDir, 'hook.mjs');
  const report = join(dataDir, 'loaded.json');
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
    import { writeFileSync } from 'node:fs';
    const urls = new Set();
    registerHooks({ load(url, context, next) { urls.add(url); return next(url, context); } });
    process.on('exit', () => writeFileSync(${JSON.stringify(report)}, JSON.stringify([...urls])));`,
  );
  const { status } = spawnSync(process.execPath, ['--import', hook, join(root, 'src/app/cli/main.ts'), ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, QUITTANCE_KEY: KEY },
    input: '',
    encoding: 'utf8',
  });
  const urls = spawnSync('cat', [report], { encoding: 'utf8' }).stdout;
  rmSync(report);
  const match = (pattern: RegExp) => [
    ...new Set((JSON.parse(urls) as string[]).flatMap((url) => pattern.exec(url)?.[1] ?? [])),
  ];
  return {
    packages: match(/node_modules\/((?:@[^/]+\/)?[^/]+)/),
    districts: match(/\/src\/(app|[^/]+\/[^/]+)\//),
    code: status,
  };
}

test.each([
  [['--version'], 0],
  [['--help'], 0],
  [['key', 'issue', '--help'], 0],
  [['nonsense'], 1],
  [['webhook', 'verify', '--signature', 'sha256=0'], 1],
  [['edge', 'check', 'https://127.0.0.1:1'], 1],
])('%j loads neither the server nor a client of the database or the chain', (args, code) => {
  const loaded = loadedBy(args);
  expect(loaded.code).toBe(code);
  expect(loaded.packages).toEqual(['commander']);
  expect(
    loaded.districts.filter(
      (district) => !['app', 'base/core', 'base/platform', 'doors/http', 'domain/webhooks'].includes(district),
    ),
  ).toEqual([]);
});

test.each([
  [['services', 'stop'], 0],
  [['services', 'remove', '--yes'], 0],
])('%j loads nothing of the product but what runs the services', (args, code) => {
  const loaded = loadedBy(args);
  expect(loaded.code).toBe(code);
  expect(loaded.packages).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/mikro-orm|viem|fastify|graphql|zod/)]),
  );
  expect(loaded.districts.sort()).toEqual(['app', 'base/core', 'base/outgoing', 'base/platform', 'doors/http']);
});

test('address verify loads nothing of the server but what computes addresses', () => {
  const wallet = `0x${'1'.repeat(40)}`;
  const given = ['--split', wallet, '--merchant', wallet, '--receipt', '1', '--created-at', '2026-11-22T04:00:00Z'];
  const { code, packages, districts } = loadedBy(['address', 'verify', ...given]);
  expect(code).toBe(0);
  expect(packages).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/mikro-orm|kysely|fastify|graphql|ioredis/)]),
  );
  expect(districts.sort()).toEqual(['app', 'base/chain', 'base/core', 'base/outgoing', 'base/platform', 'doors/http']);
});

test('webhook listen takes the key from the environment or from stdin, so that no list of processes shows it', async () => {
  const port = String(await findFreePort());
  for (const [args, environment, input] of [
    [[], { QUITTANCE_KEY: KEY }, ''],
    [['--secret', '-'], {}, `${KEY}\n`],
  ] as const) {
    const child = spawn(
      process.execPath,
      [join(root, 'src/app/cli/quittance.js'), 'webhook', 'listen', '--port', port, ...args],
      {
        env: { PATH: process.env.PATH, DATA_DIR: makeDataDir(), ...environment },
      },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.end(input);
    await heard(child, 'Listening at');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }
});

test('webhook listen ends when the npm that runs it is killed', async () => {
  const port = await findFreePort();
  const npx = spawn('npx', ['quittance', 'webhook', 'listen', '--port', String(port)], {
    cwd: root,
    env: { ...process.env, DATA_DIR: makeDataDir(), QUITTANCE_KEY: KEY },
  });
  onTestFinished(() => void npx.kill('SIGKILL'));
  await heard(npx, 'Listening at');
  npx.kill('SIGKILL');
  await until(() =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => false,
      () => true,
    ),
  );
}, 240_000);

test('npx finds the command of a checkout that it knew before an upgrade moved the file', () => {
  const cache = makeDataDir();
  const version = () =>
    spawnSync('npx', ['quittance', '--version'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, npm_config_cache: cache },
    });
  expect(version()).toMatchObject({ status: 0 });
  const [known = ''] = globSync(join(cache, '_npx/*/node_modules/.bin/quittance'));
  rmSync(known);
  symlinkSync('../quittance/src/moved/quittance.js', known);
  expect(version()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
}, 120_000);

/** Resolves when a program has written this text. */
async function heard(child: ReturnType<typeof spawn>, expected: string): Promise<void> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  await until(() => output.includes(expected) || (child.exitCode !== null && Promise.reject(new Error(output))));
}
