import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { preparePostgresHome } from '../../../src/base/platform/embedded/postgres-home.ts';
import { findFreePort, processesIn, waitUntil } from '../../../src/base/platform/embedded/process.ts';
import { LEASH } from './leash.ts';

export interface ReplicaServer {
  readonly databaseUrl: string;
  /** Sends a signal to all of its processes. */
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/**
 * Starts a streaming replica of the embedded PostgreSQL of `primaryDir`, from a base backup with PostgreSQL's own
 * functions (the package has no `pg_basebackup`), and waits until it answers.
 */
export async function startReplica(primaryDir: string, primaryUrl: string, dataDir: string): Promise<ReplicaServer> {
  const home = preparePostgresHome(dataDir);
  const cluster = join(home.folder, 'data-18');
  const backup = new pg.Client({ connectionString: primaryUrl });
  await backup.connect();
  await backup.query(`select pg_backup_start('replica', true)`);
  cpSync(join(preparePostgresHome(primaryDir).folder, 'data-18'), cluster, {
    recursive: true,
    filter: (file) => !/postmaster\.(pid|opts)$/.test(file),
  });
  const { rows } = await backup.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await backup.end();
  const { hostname, port: primaryPort, username, password, pathname } = new URL(primaryUrl);
  const upstream = `host=${hostname} port=${primaryPort} user=${username} password=${password}`;
  writeFileSync(join(cluster, 'backup_label'), rows[0]!.labelfile);
  writeFileSync(join(cluster, 'standby.signal'), '');
  chmodSync(cluster, 0o700);
  // A copy by root belongs to root.
  if (home.user)
    for (const file of [cluster, ...readdirSync(cluster, { recursive: true }).map((name) => join(cluster, `${name}`))])
      chownSync(file, home.user.uid, home.user.gid);

  const port = await findFreePort();
  const settings = [
    ...['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'max_connections=200'],
    ...[`primary_conninfo=${upstream}`, 'hot_standby=on', 'wal_receiver_status_interval=1s'],
  ].flatMap((setting) => ['-c', setting]);
  const file = join(home.native, 'bin/postgres');
  const child = spawn('/bin/sh', ['-c', LEASH, 'sh', file, '-D', cluster, ...settings], {
    cwd: home.folder,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...home.user,
  });
  const ended = once(child, 'exit');
  const databaseUrl = `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`;
  const answers = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  };
  if (!(await waitUntil(async () => child.exitCode !== null || (await answers()), 60_000)))
    throw new Error('the replica does not answer');
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processesIn(cluster))
      try {
        process.kill(pid, name);
      } catch (error) {
        // A process of the database may end meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
  };
  return {
    databaseUrl,
    signal,
    async stop() {
      signal('SIGCONT');
      child.stdin.end();
      await ended;
      await waitUntil(() => processesIn(cluster).length === 0, 60_000);
      rmSync(cluster, { recursive: true, force: true });
    },
  };
}
