import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort, waitUntil } from '../../../src/base/platform/embedded/process.ts';
import { environmentOf, unpackDebian } from './debian.ts';
import { isExecutable } from './programs.ts';

const run = promisify(execFile);

interface Programs {
  /** The folder of `postgres`, `pg_basebackup`, `pg_dump` and `pg_restore`. */
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
}

const INSTALLED = '/usr/lib/postgresql';

/**
 * Finds Debian's PostgreSQL with all of its programs, else unpacks it: the embedded one has neither `pg_dump` nor
 * `pg_basebackup`. Throws with the command that helps.
 */
function findPrograms(forEveryone: string): Programs {
  for (const bin of foldersIn(INSTALLED)) if (isExecutable(join(bin, 'pg_basebackup'))) return { bin, env: {} };
  try {
    const unpacked = unpackDebian('postgresql', ['postgresql-15', 'postgresql-client-15']);
    // Another user may not be able to read the cache.
    const root = userOfServer ? join(forEveryone, 'programs') : unpacked;
    if (userOfServer) cpSync(unpacked, root, { recursive: true, verbatimSymlinks: true });
    return { bin: foldersIn(join(root, 'usr/lib/postgresql'))[0] as string, env: environmentOf(root) };
  } catch (error) {
    throw new Error('the tests need PostgreSQL: run `apt-get install postgresql`', { cause: error });
  }
}

function foldersIn(parent: string): string[] {
  try {
    return readdirSync(parent).map((version) => join(parent, version, 'bin'));
  } catch {
    return [];
  }
}

/** PostgreSQL refuses to run as root. This is Debian's user without rights. */
const userOfServer = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/** It lives as long as the pipe from here is open, which a killed test run closes too. */
const LEASH = 'exec 3<&0; "$@" 3<&- & server=$!; { cat <&3; kill -QUIT $server; } & echo $server; wait $server';

/** A server of PostgreSQL on one of the clusters. */
interface PostgresqlServer {
  readonly databaseUrl: string;
  /** Ends it: `SIGINT` as an operator does, `SIGQUIT` as a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Clusters of PostgreSQL in a folder of their own, with one archive of their write-ahead log. */
export interface Postgresql {
  /** Starts a server on the cluster of this name; creates the cluster if there is none. */
  start(name: string, settings?: Readonly<Record<string, string>>): Promise<PostgresqlServer>;
  /** Runs one of PostgreSQL's programs in the folder of the clusters. */
  program(name: string, ...args: string[]): Promise<void>;
  /** Marks a cluster as one that recovers from the archive, up to its target. */
  recover(name: string): void;
  /** The settings of archiving and of recovery: shell commands, as an operator writes them. */
  readonly archiving: Readonly<Record<string, string>>;
  readonly restoring: Readonly<Record<string, string>>;
  /** Ends what still runs, and deletes everything. */
  remove(): Promise<void>;
}

/** Prepares a folder for clusters. */
export function openPostgresql(): Postgresql {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-postgresql-'));
  chmodSync(folder, 0o755);
  if (userOfServer) chownSync(folder, userOfServer.uid, userOfServer.gid);
  const { bin, env } = findPrograms(folder);
  const archive = join(folder, 'archive');
  mkdirSync(archive);
  if (userOfServer) chownSync(archive, userOfServer.uid, userOfServer.gid);
  const options = { cwd: folder, env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env }, ...userOfServer };
  const servers: PostgresqlServer[] = [];
  const program = async (name: string, ...args: string[]) => void (await run(join(bin, name), args, options));

  async function start(name: string, settings: Readonly<Record<string, string>> = {}): Promise<PostgresqlServer> {
    const cluster = join(folder, name);
    if (!readdirSync(folder).includes(name))
      await program('initdb', '-D', cluster, '-U', 'quittance', '--auth=trust', '--no-sync', '-E', 'UTF8');
    const port = await findFreePort();
    const all = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', ...settings };
    const args = Object.entries({ max_connections: '100', ...all }).flatMap(([key, value]) => [
      '-c',
      `${key}=${value}`,
    ]);
    const child = spawn('/bin/sh', ['-c', LEASH, 'sh', join(bin, 'postgres'), '-D', cluster, ...args], options);
    let pid = 0;
    child.stdout.on('data', (text) => {
      pid ||= Number(text);
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const ended = once(child, 'exit');
    const urlOf = (database: string) => `postgresql://quittance@127.0.0.1:${port}/${database}?connect_timeout=60`;
    const isUp = await waitUntil(async () => child.exitCode !== null || (await isPrimary(urlOf('postgres'))), 120_000);
    if (!isUp || child.exitCode !== null) throw new Error(`PostgreSQL does not start:\n${said}`);
    const server = {
      databaseUrl: `${urlOf('quittance')}&options=-c%20statement_timeout%3D60000`,
      async stop(signal: NodeJS.Signals = 'SIGINT') {
        if (child.exitCode !== null || child.signalCode !== null) return;
        process.kill(pid, signal);
        await ended;
        child.stdin.destroy();
      },
    };
    servers.push(server);
    return server;
  }

  return {
    start,
    program,
    recover: (name) => {
      const signal = join(folder, name, 'recovery.signal');
      writeFileSync(signal, '');
      if (userOfServer) chownSync(signal, userOfServer.uid, userOfServer.gid);
    },
    archiving: { wal_level: 'replica', archive_mode: 'on', archive_command: `cp %p ${archive}/%f` },
    restoring: { restore_command: `cp ${archive}/%f %p`, recovery_target_action: 'promote' },
    async remove() {
      for (const server of servers) await server.stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a server answers, and has recovered. */
async function isPrimary(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as recovering');
    return !rows[0].recovering;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
