import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { inject } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { root } from '../../../test/gates/sources.ts';
import { until } from '../../../test/support/program.ts';

const run = promisify(execFile);
/** Where Medusa's packages are installed once. MEDUSA_DIR names a folder that has them. */
const folder = process.env.MEDUSA_DIR ?? join(root, '.cache/medusa');
const cli = join(folder, 'node_modules/@medusajs/cli/cli.js');

const npm = (...args: string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund'], { cwd: folder, env: { ...process.env, NODE_ENV: 'development' } });

/** Installs the packages of the shop, if they are not there; their folder. */
export async function installMedusa(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  cpSync(join(import.meta.dirname, 'shop'), folder, { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!Object.keys(dependencies).every((name) => existsSync(join(folder, 'node_modules', name)))) await npm('install');
  return folder;
}

/** Who signs in to the admin. */
export const ADMIN = { email: 'admin@shop.test', password: 'password' };

/** A shop as its storefront and its admin use it. */
export type Shop = Awaited<ReturnType<typeof openShop>>;

/**
 * Installs Medusa and the plugin from `packageUrl`, with a database of its own, and starts it. With its admin it is
 * built before, as in production.
 */
export async function openShop(packageUrl: string, settings: Readonly<Record<string, string>>, hasAdmin = false) {
  await installMedusa();
  await npm('install', '--no-save', '--legacy-peer-deps', '--force', packageUrl);

  const database = `medusa_${Date.now()}`;
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  const databaseUrl = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${database}` }).href;
  const port = String(await findFreePort());
  const seedFile = join(folder, `seed-${port}.json`);
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', PORT: port, SEED_FILE: seedFile },
    ...{ DATABASE_URL: databaseUrl, ...(hasAdmin && { ADMIN: 'yes' }) },
    ...settings,
  };
  const medusa = (...args: string[]) =>
    run(process.execPath, [cli, ...args], { cwd: folder, env, maxBuffer: 1 << 28 }).catch((error) => {
      throw new Error(`medusa ${args[0]} failed: ${error.stdout}\n${error.stderr}`);
    });
  await medusa('db:migrate');
  await medusa('exec', './seed.js');
  await medusa('user', '-e', ADMIN.email, '-p', ADMIN.password);
  if (hasAdmin) await medusa('build');
  const seed = JSON.parse(readFileSync(seedFile, 'utf8')) as Readonly<
    Record<'key' | 'region' | 'channel' | 'variant', string>
  >;
  const url = `http://127.0.0.1:${port}`;
  let child: ReturnType<typeof spawn>;
  let token = '';

  /** Calls the storefront's or the admin's API; repeated while the shop is down. */
  async function call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
  ): Promise<T & { status: number }> {
    for (;;) {
      try {
        const response = await fetch(url + path, {
          method,
          headers: {
            'content-type': 'application/json',
            ...(path.startsWith('/admin')
              ? { authorization: `Bearer ${token}` }
              : { 'x-publishable-api-key': seed.key }),
          },
          body: body && JSON.stringify(body),
          signal: AbortSignal.timeout(60_000),
        });
        return { ...((await response.json().catch(() => ({}))) as T), status: response.status };
      } catch {
        await until(async () => (await fetch(`${url}/health`).catch(() => null))?.ok, { timeoutMs: 300_000 });
      }
    }
  }

  async function start(): Promise<void> {
    const cwd = hasAdmin ? join(folder, '.medusa/server') : folder;
    child = spawn(process.execPath, [cli, 'start'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (text) => writeFileSync(join(folder, 'shop.log'), text, { flag: 'a' }));
    await until(async () => (await fetch(`${url}/health`).catch(() => null))?.ok, { timeoutMs: 300_000 });
    ({ token } = await call<{ token: string }>('POST', '/auth/user/emailpass', ADMIN));
  }

  await start();
  return {
    ...{ url, seed, call, start, database: new pg.Pool({ connectionString: databaseUrl }) },
    /** Ends it at once, as a loss of power does. */
    kill: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
