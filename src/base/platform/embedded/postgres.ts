import { execFile } from 'node:child_process';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { choosePort } from './ports.ts';
import { type PostgresHome, preparePostgresHome } from './postgres-home.ts';
import { endProcess, isRunning, markProcess, processesIn, spawnDetached, waitUntil } from './process.ts';
import type { PostgresRecord } from './record.ts';

/** `fast` is not safe against a crash of the machine, and is only for tests. */
export type Durability = 'full' | 'fast';

const major = 18;
const role = 'quittance';
const database = 'quittance';
const startTimeoutMs = 60_000;
const run = promisify(execFile);

const durabilitySettings: Record<Durability, string[]> = {
  full: ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'],
  fast: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
};

/** The URL of the database, with the password. */
export function postgresUrl(port: number, password: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
}

/** Whether a recorded server is still the same process, and accepts a connection. */
export async function answersPostgres(record: PostgresRecord, password: string): Promise<boolean> {
  return isRunning(record) && (await connects(record.port, password, database));
}

/**
 * Creates the cluster on the first run, then starts a server on its stored loopback port and waits until it answers.
 * Adopts a server that already runs on the same files but was not recorded. Requires the record's lock.
 */
export async function startPostgres(
  dataDir: string,
  password: string,
  durability: Durability,
  log: { warn(message: string): void },
): Promise<{ record: PostgresRecord; adopted: boolean }> {
  const home = preparePostgresHome(dataDir);
  const cluster = join(home.folder, `data-${major}`);
  if (!existsSync(cluster)) await createCluster(home, cluster, password, durability);

  const unrecorded = readPostmaster(cluster);
  if (unrecorded && (await answersPostgres(unrecorded, password))) return { record: unrecorded, adopted: true };
  await removeStaleLock(cluster, unrecorded);

  const logFile = join(home.folder, 'postgres.log');
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    const port = await choosePort(dataDir, 'postgres', log);
    const mark = await spawnDetached({
      file: join(home.native, 'bin/postgres'),
      args: ['-D', cluster, ...settings(port, durability)],
      cwd: home.folder,
      logFile,
      user: home.user,
    });
    const record = { ...mark, port };
    let refused = false;
    const ready = async () => {
      refused = await refusesPassword(port, password);
      return refused || !isRunning(mark) || (await connects(port, password, 'postgres'));
    };
    await waitUntil(ready, deadline - performance.now());
    if (refused && isRunning(mark)) {
      await stopPostgres(record);
      throw new Error(
        `the database in ${cluster} has another password than ${join(dataDir, 'postgres-password')}: put the former file back, or delete the database with \`quittance services remove\``,
      );
    }
    if (isRunning(mark) && (await connects(port, password, 'postgres'))) {
      await createDatabase(port, password);
      return { record, adopted: false };
    }
    // The port was taken in between, or children of a killed server still use its memory: both are temporary.
    await stopPostgres(record);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the embedded PostgreSQL does not start; its log is ${logFile}`);
}

/** Stops a server. Its clients are disconnected; all committed data is on disk. */
export async function stopPostgres(record: PostgresRecord): Promise<void> {
  await endProcess(record, [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ]);
}

function settings(port: number, durability: Durability): string[] {
  return [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=128MB',
    'password_encryption=scram-sha-256',
    'log_min_messages=warning',
    ...durabilitySettings[durability],
  ].flatMap((setting) => ['-c', setting]);
}

/**
 * Creates the cluster in a draft folder and moves it when complete, so that a killed first run leaves no incomplete
 * cluster.
 */
async function createCluster(
  home: PostgresHome,
  cluster: string,
  password: string,
  durability: Durability,
): Promise<void> {
  const draft = `${cluster}.draft`;
  const passwordFile = join(home.folder, 'initdb-password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (home.user) chownSync(passwordFile, home.user.uid, home.user.gid);
  try {
    await run(
      join(home.native, 'bin/initdb'),
      [
        ...['--pgdata', draft, '--username', role, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
        ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
        ...(durability === 'fast' ? ['--no-sync'] : []),
      ],
      { cwd: home.folder, env: { PATH: process.env.PATH, LANG: 'C' }, ...home.user },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, cluster);
}

async function createDatabase(port: number, password: string): Promise<void> {
  await withClient(port, password, 'postgres', async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (!rowCount) await client.query(`create database ${database}`);
  });
}

/** Reads the process (line 1) and port (line 4) of a running server from the cluster's lock file. */
function readPostmaster(cluster: string): PostgresRecord | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const mark = markProcess(Number(lines[0]));
    return mark && { ...mark, port: Number(lines[3]) };
  } catch {
    return undefined;
  }
}

/**
 * After a crash of the machine the lock file contains a pid that another process may have now, and PostgreSQL would
 * refuse to start. The file is deleted only when no process uses the cluster's directory.
 */
async function removeStaleLock(cluster: string, unrecorded: PostgresRecord | undefined): Promise<void> {
  if (unrecorded && isPostgres(unrecorded.pid, cluster)) await stopPostgres(unrecorded);
  const free = await waitUntil(() => processesIn(cluster).length === 0, 20_000);
  if (!free) throw new Error(`processes ${processesIn(cluster).join(', ')} still use ${cluster}`);
  if (unrecorded) rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

function isPostgres(pid: number, cluster: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster);
  } catch {
    return false;
  }
}

async function connects(port: number, password: string, name: string): Promise<boolean> {
  try {
    await withClient(port, password, name, (client) => client.query('select 1'));
    return true;
  } catch {
    return false;
  }
}

/** The database outlives its password where the data directory was deleted: for root they are in two places. */
async function refusesPassword(port: number, password: string): Promise<boolean> {
  try {
    await withClient(port, password, 'postgres', async () => {});
    return false;
  } catch (error) {
    return (error as { code?: string }).code === '28P01';
  }
}

async function withClient<T>(
  port: number,
  password: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: role,
    password,
    database: name,
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
  });
  // A connection that breaks while idle emits this event; the next query reports the error.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
