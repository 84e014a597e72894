import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort, waitUntil } from '../../../src/base/platform/embedded/process.ts';
import { environmentOf, unpackDebian } from './debian.ts';
import { LEASH } from './leash.ts';
import { findProgram, type Program } from './programs.ts';

/** Finds a pgbouncer on PATH, else unpacks Debian's into the cache. Throws with the command that helps. */
function findPgbouncer(): Program {
  const file = findProgram('pgbouncer');
  if (file) return { file, env: {} };
  try {
    const root = unpackDebian('pgbouncer', ['pgbouncer']);
    return { file: join(root, 'usr/sbin/pgbouncer'), env: environmentOf(root) };
  } catch (error) {
    throw new Error('the tests need PgBouncer: run `apt-get install pgbouncer`', { cause: error });
  }
}

export interface Pgbouncer {
  readonly pid: number;
  /** The address of the database through the pooler. */
  readonly databaseUrl: string;
  /** What the pooler's own command shows, such as `show pools`. */
  show(what: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** It refuses to run as root, but the user that it becomes may not be able to read the cache. */
const asUser = process.getuid?.() === 0 ? ['--user=nobody'] : [];

/**
 * Starts a PgBouncer in front of a database, with the settings of docs/run/scaling.md: transaction mode, a time
 * limit of its own sessions, and few of them.
 */
export async function startPgbouncer(databaseUrl: string, sessions = 4): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-pgbouncer-'));
  chmodSync(folder, 0o755);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await findFreePort();
    const started = await start(folder, port, databaseUrl, sessions);
    if (started) return started;
  }
  throw new Error(`PgBouncer does not start:\n${readFileSync(join(folder, 'output'), 'utf8')}`);
}

async function start(folder: string, port: number, databaseUrl: string, sessions: number): Promise<Pgbouncer | null> {
  const { hostname, port: behind, pathname, username, password } = new URL(databaseUrl);
  const database = pathname.slice(1);
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
${database} = host=${hostname} port=${behind} user=${username} password=${password} connect_query='set statement_timeout = 60000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = ${username}
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 1000
`,
  );
  const program = findPgbouncer();
  const child = spawn('/bin/sh', ['-c', LEASH, 'sh', program.file, ...asUser, settings], {
    env: { ...process.env, ...program.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let pid = 0;
  let said = '';
  child.stdout.on('data', (text) => {
    pid ||= Number(text);
  });
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(child, 'exit');
  const at = (path: string) => Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}`, pathname: path }).href;
  const show = async (what: string) => {
    const client = new pg.Client({ connectionString: at('pgbouncer').split('?')[0] });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(`show ${what}`)).rows;
    } finally {
      await client.end();
    }
  };
  const answers = () => show('version').then(Boolean, () => false);
  const isUp = await waitUntil(async () => child.exitCode !== null || (await answers()), 60_000);
  if (!isUp || child.exitCode !== null) {
    child.stdin.destroy();
    writeFileSync(join(folder, 'output'), said);
    return null;
  }
  return {
    pid,
    databaseUrl: at(database),
    show,
    async stop() {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
