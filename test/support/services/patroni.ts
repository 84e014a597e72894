import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { findFreePort, processesIn } from '../../../src/base/platform/embedded/process.ts';
import { signalAll } from '../database-processes.ts';
import { until } from '../program.ts';
import { LEASH } from './leash.ts';
import { findHighAvailability, type HighAvailabilityPrograms } from './patroni-programs.ts';

/** PostgreSQL refuses to run as root. This is Debian's user without rights. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/** As `LEASH`, for a Patroni whose PostgreSQL must end too: it is a process of its own. `$0` is the data's folder. */
const NODE_LEASH = `exec 3<&0; "$@" 3<&- & child=$!
  { cat <&3; kill -9 $child; kill -9 $(head -1 "$0/postmaster.pid"); } 2>/dev/null & echo $child; wait $child`;

/** The limits of docs/run/scaling.md. */
const LIMITS = { ttl: 20, loop_wait: 2, retry_timeout: 8 };

/**
 * One PostgreSQL with its Patroni. What others reach of it, and it of etcd, passes its network: an HAProxy of its own.
 * (A relay in this process would stand still whenever the test loads modules.)
 */
interface Node {
  readonly name: string;
  readonly folder: string;
  readonly restUrl: string;
  /** Its PostgreSQL, past its network. */
  readonly ownPort: number;
  /** Where others reach its PostgreSQL and its Patroni. */
  readonly postgresPort: number;
  readonly restPort: number;
  readonly networkPid: number;
  child: ChildProcess;
  pid: number;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | 'unknown';
}

/** What is done to a node. Each ends with the node as it was. */
export type NodeFault = 'kill' | 'freeze' | 'cutOff';

/** Three nodes of PostgreSQL under Patroni with synchronous replication, one etcd, and HAProxy before them. */
export interface PatroniCluster {
  /** The address of the primary, whichever it is, through HAProxy. */
  readonly databaseUrl: string;
  /** The address of one node's PostgreSQL, past HAProxy and the node's network. */
  ownUrl(name: string): string;
  /** Resolves with the primary's name when every node runs and one of the others is synchronous. */
  settled(): Promise<string>;
  /** Breaks a node. The returned function makes it whole again. */
  break(name: string, fault: NodeFault): Promise<() => Promise<void>>;
  /** Resolves when a node other than this one has been elected and is the primary. */
  electedBeside(name: string): Promise<string>;
}

/** Starts the cluster; it ends with the test. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-patroni-'));
  chmodSync(folder, 0o755);
  if (user) chownSync(folder, user.uid, user.gid);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const programs = findHighAvailability(folder);
  makeFolder(programs.env.PYTHONPYCACHEPREFIX as string);
  const etcdUrl = await startEtcd(folder, programs);
  const first = await startNode('pg1', folder, programs, etcdUrl);
  const nodes = [first];
  onTestFinished(() => Promise.all(nodes.map(endNode)).then(() => {}));
  // The first one creates the cluster, which the others copy.
  const created = () => first.child.exitCode !== null || isPrimary(first);
  await until(created, { timeoutMs: 180_000 }).catch((error) => explain(error, first));
  for (const name of ['pg2', 'pg3']) nodes.push(await startNode(name, folder, programs, etcdUrl));
  const databaseUrl = await startHaproxy(folder, programs, nodes);
  await until(() => leadsToPrimary(databaseUrl), { timeoutMs: 180_000 });
  const nodeOf = (name: string) => nodes.find((node) => node.name === name) as Node;

  return {
    databaseUrl,
    ownUrl: (name) => urlOf(nodeOf(name).ownPort),
    settled: () =>
      until(async () => settledLeader(await membersOf(nodes)), { timeoutMs: 300_000 }).catch((error) =>
        explain(error, ...nodes),
      ),
    electedBeside: (name) =>
      until(
        async () => {
          for (const node of nodes) if (node.name !== name && (await isPrimary(node))) return node.name;
          return null;
        },
        { timeoutMs: 180_000 },
      ).catch((error) => explain(error, ...nodes)),
    break: (name, fault) => FAULTS[fault](nodeOf(name), programs),
  };
}

const FAULTS: Record<NodeFault, (node: Node, programs: HighAvailabilityPrograms) => Promise<() => Promise<void>>> = {
  async kill(node, programs) {
    await endNode(node);
    return () => runNode(node, programs);
  },
  async freeze(node) {
    signal(node, 'SIGSTOP');
    return async () => signal(node, 'SIGCONT');
  },
  async cutOff({ networkPid }) {
    process.kill(networkPid, 'SIGSTOP');
    return async () => void process.kill(networkPid, 'SIGCONT');
  },
};

const signal = (node: Node, name: NodeJS.Signals): void => signalAll([node.pid, ...processesIn(node.folder)], name);

/** Kills all of its processes. */
async function endNode(node: Node): Promise<void> {
  const ended = node.child.exitCode === null && node.child.signalCode === null && once(node.child, 'close');
  signal(node, 'SIGKILL');
  node.child.stdin?.destroy();
  await ended;
  await until(() => processesIn(node.folder).length === 0);
}

const ask = async (url: string): Promise<Response | null> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null);

/** Whether the node is the primary and holds the lock in etcd. */
const isPrimary = async ({ restUrl }: Node): Promise<boolean> => (await ask(`${restUrl}/primary`))?.status === 200;

async function membersOf(nodes: readonly Node[]): Promise<readonly Member[]> {
  for (const { restUrl } of nodes) {
    const answer = await ask(`${restUrl}/cluster`);
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
  }
  return [];
}

/** HAProxy takes every node for the primary until its first checks have failed. */
async function leadsToPrimary(databaseUrl: string): Promise<boolean> {
  for (let i = 0; i < 6; i++) {
    const client = new pg.Client({ connectionString: databaseUrl.replace(/quittance$/, 'postgres') });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ copies: boolean }>('select pg_is_in_recovery() as copies');
      if (rows[0]?.copies !== false) return false;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }
  return true;
}

/** The primary's name if all three members run, one of them synchronous; else null. */
function settledLeader(members: readonly Member[]): string | null {
  const leader = members.find(({ role }) => role === 'leader');
  const isWhole = members.length === 3 && members.every(({ state }) => /^(running|streaming)$/.test(state));
  const isSafe = members.some(({ role }) => role === 'sync_standby');
  return isWhole && isSafe && members.every(({ lag = 0 }) => lag !== 'unknown') ? (leader?.name ?? null) : null;
}

function explain(error: unknown, ...nodes: readonly Node[]): never {
  const said = nodes.map(({ name, folder }) => `${name}:\n${readFileSync(`${folder}.log`, 'utf8').slice(-2_000)}`);
  throw new Error(`the PostgreSQL cluster is not as expected\n${said.join('\n')}`, { cause: error });
}

async function startNode(
  name: string,
  folder: string,
  programs: HighAvailabilityPrograms,
  etcdUrl: string,
): Promise<Node> {
  const [port, restPort] = [await findFreePort(), await findFreePort()];
  const restUrl = `http://127.0.0.1:${restPort}`;
  const network = await startNetwork(join(folder, `${name}-network`), programs, [port, restPort, portOf(etcdUrl)]);
  const [own, rest, etcd] = network.ports.map((way) => `127.0.0.1:${way}`);
  const data = join(folder, name);
  const settings = {
    ...{ scope: 'quittance', name },
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: rest },
    // A proxy is not replaced by the addresses that etcd tells. `etcd3` of this Patroni keeps a copy of the keys, which
    // may stay old once the node was frozen or cut off: docs/run/scaling.md.
    etcd: { proxy: `http://${etcd}` },
    bootstrap: {
      dcs: {
        ...LIMITS,
        synchronous_mode: true,
        postgresql: {
          ...{ use_pg_rewind: true, remove_data_directory_on_rewind_failure: true },
          remove_data_directory_on_diverged_timelines: true,
          parameters: {
            ...{ wal_log_hints: 'on', max_connections: 150, wal_receiver_timeout: '5s', wal_sender_timeout: '5s' },
            // Processes are killed here, not machines.
            fsync: 'off',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }, 'no-sync'],
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${port}`, connect_address: own, data_dir: data, bin_dir: programs.bin },
      ...{ pgpass: join(folder, `${name}.pgpass`), use_unix_socket: false },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      authentication: { superuser: { username: 'quittance' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: '' },
      basebackup: [{ checkpoint: 'fast' }],
    },
  };
  // JSON is YAML.
  writeFileSync(`${data}.yml`, JSON.stringify(settings));
  makeFolder(data);
  const [postgresPort, patroniPort] = network.ports as [number, number];
  const ways = { postgresPort, restPort: patroniPort, networkPid: network.pid };
  const node = { name, folder: data, restUrl, ownPort: port, ...ways, pid: 0 } as unknown as Node;
  await runNode(node, programs);
  return node;
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
}

async function runNode(node: Node, { patroni, env }: HighAvailabilityPrograms): Promise<void> {
  const log = openSync(`${node.folder}.log`, 'a');
  node.child = spawn('/bin/sh', ['-c', NODE_LEASH, node.folder, ...patroni, `${node.folder}.yml`], {
    cwd: '/',
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: node.folder, ...env },
    stdio: ['pipe', 'pipe', log],
    ...user,
  });
  const [pid] = await once(node.child.stdout as NodeJS.ReadableStream, 'data');
  node.pid = Number(String(pid).split('\n')[0]);
  // Patroni writes there too.
  node.child.stdout?.resume();
}

const urlOf = (port: number): string => `postgresql://quittance@127.0.0.1:${port}/quittance`;
const portOf = (url: string): number => Number(new URL(url).port);

/** Runs a program until the test ends. Resolves with its process id. */
async function runBeside(args: readonly string[], file: string, env: Readonly<Record<string, string>>) {
  const log = openSync(`${file}.log`, 'a');
  const child = spawn('/bin/sh', ['-c', LEASH, 'sh', ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', log],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.stdin?.destroy();
    await ended;
  });
  const [pid] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  child.stdout?.resume();
  return Number(String(pid).split('\n')[0]);
}

/** Passes connections on to some ports, each from a port of its own. */
async function startNetwork(file: string, { haproxy, env }: HighAvailabilityPrograms, targets: readonly number[]) {
  const ports = await Promise.all(targets.map(() => findFreePort()));
  const ways = targets.map(
    (target, i) => `listen way${i}\n  bind 127.0.0.1:${ports[i]}\n  server target 127.0.0.1:${target}\n`,
  );
  writeFileSync(file, `${DEFAULTS}${ways.join('')}`);
  return { ports, pid: await runBeside([haproxy, '-db', '-f', file], file, env) };
}

const DEFAULTS = `
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
`;

async function startEtcd(folder: string, { etcd, env }: HighAvailabilityPrograms): Promise<string> {
  const [url, peer] = [`http://127.0.0.1:${await findFreePort()}`, `http://127.0.0.1:${await findFreePort()}`];
  const args = [
    ...['--data-dir', join(folder, 'etcd-data'), '--unsafe-no-fsync', '--enable-v2'],
    ...['--initial-cluster', `default=${peer}`],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
  ];
  await runBeside([etcd, ...args], join(folder, 'etcd'), env);
  await until(async () => (await ask(`${url}/health`))?.ok);
  return url;
}

/** As in docs/run/scaling.md. */
async function startHaproxy(
  folder: string,
  { haproxy, env }: HighAvailabilityPrograms,
  nodes: readonly Node[],
): Promise<string> {
  const port = await findFreePort();
  const file = join(folder, 'haproxy');
  const servers = nodes.map(
    ({ name, postgresPort, restPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`,
  );
  const text = `${DEFAULTS}
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
  writeFileSync(file, text);
  await runBeside([haproxy, '-db', '-f', file], file, env);
  return urlOf(port);
}
