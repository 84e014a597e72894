import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type OpenDeps, openDeps } from '../../src/app/deps.ts';
import { completeSettings } from '../../src/app/settings.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { readConfig } from '../../src/base/platform/config/config.ts';
import { createLog } from '../../src/base/platform/log/log.ts';
import { query } from '../../src/base/platform/postgres/query.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { publishPresence } from '../../src/domain/people/users/presence-state.ts';
import type { UserRecord } from '../../src/domain/people/users/record.ts';
import { USER_COLUMNS } from '../../src/domain/people/users/user.entity.ts';
import { startRedis } from '../support/services/redis.ts';
import { cpuOfProcess } from './cpu.ts';
import type { Environment, Shop } from './environment.ts';
import { answerOf, command, openListeners, weighSockets } from './listener-process.ts';
import type { Received } from './listeners.ts';
import { SOCKET_PEERS } from './peers.ts';
import { type BenchProgram, startProgram, startServer } from './programs.ts';
import { compare, type Round, weighed } from './rounds.ts';
import type { Line } from './table.ts';

/** What is measured of the fan-out of presence events; each compares with plain `ws` and one Redis subscription. */
export const FAN_OUT = [
  { name: 'presence to 1,000 sockets, messages/s', goal: 6, sockets: 1_000, kind: 'rate' },
  { name: 'presence to 5,000 sockets, messages/s', goal: 4, sockets: 5_000, kind: 'rate' },
  // As a ratio of theirs to ours, like all others: 1.3 times as long at most.
  { name: 'presence to 1,000 sockets, p99', goal: 1 / 1.1, sockets: 1_000, kind: 'latency' },
  { name: 'memory of 5,000 subscribed sockets', goal: 1, sockets: 5_000, kind: 'memory' },
] as const satisfies readonly { name: string; goal: number; sockets: number; kind: 'rate' | 'latency' | 'memory' }[];

type FanOut = (typeof FAN_OUT)[number];

const CHANNEL = 'bench:presence';
const ID = '7a4e2f7e-94a8-4d29-a0b4-2a9e8b5b6a4d';
/** No heartbeats are sent during a run, so no user may expire. */
const HOUR_MS = 3_600_000;
const WALLET = `0x${'b'.repeat(40)}` as Wallet;
const QUERY =
  'subscription { livePresence { kind at user { wallet displayName pfpUrl xp live liveSince lastHeartbeat platform spaceUrl } } }';
/** Messages of a round, over all sockets. */
const MESSAGES = 200_000;
/** Peers are measured at one size, with fewer messages. */
const PEER_MESSAGES = 50_000;
const PEER_SOCKETS = 1_000;
/** Events of a round that measures latency, and the time between them. */
const LATENCY_EVENTS = 200;
const EVERY_MS = 50;
const TWIN = 'plain ws';
/** What a subscribed socket may cost above a bare one. */
const ALLOWED_KIB = 50;

/** A server with its connected sockets. */
interface Side {
  readonly server: BenchProgram;
  readonly clients: ChildProcess;
  publish(): void;
}

/** How the fan-out is measured. */
export interface FanOutOptions {
  readonly rounds: number;
  /** Whether servers of other libraries are measured as well. */
  readonly peers: boolean;
}

/** What the sides of a comparison share. */
interface Setting {
  readonly deps: OpenDeps;
  readonly env: NodeJS.ProcessEnv;
  readonly shop: Shop;
  readonly redis: Redis;
}

/** Measures the `wanted` lines and reports each as soon as it is known. */
export async function benchFanOut(
  environment: Environment,
  shop: Shop,
  options: FanOutOptions,
  wanted: readonly FanOut[],
  add: (line: Line) => void,
): Promise<void> {
  if (wanted.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'quittance-bench-redis-'));
  const server = await startRedis(folder);
  const env = { ...environment.env, REDIS_URL: server.redisUrl, CHANNEL };
  const deps = await openDeps(completeSettings(readConfig(env), environment.deps.settings), createLog('error'));
  const redis = new Redis(server.redisUrl);
  try {
    for (const sockets of [1_000, 5_000]) {
      const rows = wanted.filter((row) => row.sockets === sockets);
      if (rows.length > 0) await atSize({ deps, env, shop, redis }, sockets, rows, options, add);
    }
  } finally {
    redis.disconnect();
    await deps.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function atSize(
  setting: Setting,
  sockets: number,
  rows: readonly FanOut[],
  { rounds, peers }: FanOutOptions,
  add: (line: Line) => void,
): Promise<void> {
  const { ours, theirs, peerSides } = await openSides(setting, peers && rows.some(withPeers));
  const sides = [ours, theirs, ...peerSides.map(({ side }) => side)];
  try {
    const memory = await memoryOf(sides, sockets);
    for (const side of sides) await rateOf(side, sockets, 20);
    for (const row of rows) {
      const { name, goal } = row;
      if (row.kind === 'memory') add(memoryLine(row, memory));
      else {
        const measure = row.kind === 'rate' ? rateOf : latencyOf;
        const events = row.kind === 'rate' ? MESSAGES / sockets : LATENCY_EVENTS;
        const round = (side: Side) => () => measure(side, sockets, events);
        const result = await compare(rounds, round(ours), round(theirs));
        add({ name, goal, against: TWIN, ...result, memoryMiB: ours.server.memoryMiB() });
      }
      for (const { library, side } of withPeers(row) ? peerSides : []) {
        const round = (side: Side) => () => rateOf(side, sockets, PEER_MESSAGES / sockets);
        add({ name: `${library}: ${name}`, against: TWIN, ...(await compare(rounds, round(side), round(theirs))) });
      }
    }
  } finally {
    for (const { clients, server } of sides) {
      clients.disconnect();
      await server.stop();
    }
  }
}

const withPeers = ({ kind, sockets }: FanOut): boolean => kind === 'rate' && sockets === PEER_SOCKETS;

/** Starts our server, the bare twin and the peers, each with a process of sockets. */
async function openSides({ deps, env, shop, redis }: Setting, peers: boolean) {
  const scopes = ['graphql:read', 'users:read'] as const;
  const { key } = await issueKey(deps, { merchant: shop.wallet, scopes: [...scopes], unlimited: true });
  const user = await newUser(deps);
  let version = user.version;
  const changed = () => ({
    ...user,
    version: ++version,
    displayName: String(performance.timeOrigin + performance.now()),
  });
  const hello = [
    JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': key } }),
    JSON.stringify({ id: ID, type: 'subscribe', payload: { query: QUERY } }),
  ];
  const publishFrame = () => void redis.publish(CHANNEL, messageOf(changed()));
  const open = async (
    server: BenchProgram,
    path: string,
    greeting: readonly string[],
    publish: () => void = publishFrame,
  ) => ({
    server,
    clients: await openListeners(server, path, greeting),
    publish,
  });
  const ours = await open(await startServer(env), '/api/graphql', hello, () => publishPresence(deps.bus, [changed()]));
  const theirs = await open(await startProgram('socket-twin.ts', env), '/', hello.slice(0, 1));
  const peerSides: { library: string; side: Side }[] = [];
  for (const { library, file, path, greeting } of peers ? SOCKET_PEERS : [])
    peerSides.push({ library, side: await open(await startProgram(file, env), path, greeting ?? hello) });
  return { ours, theirs, peerSides };
}

const INSERT = query('bench-user', (db, $: { wallet: Wallet; at: number }) =>
  db
    .insertInto('User')
    .values({
      wallet: $.wallet,
      displayName: 'Bench',
      pfpUrl: 'https://example.com/bench.png',
      xp: 100,
      live: true,
      spacePublic: true,
      spaceUrl: 'https://example.com/live',
      platform: 'web',
      liveSince: $.at,
      lastSeen: $.at,
      lastHeartbeat: $.at,
      version: 1,
      createdAt: $.at,
      updatedAt: $.at,
    })
    .onConflict((conflict) =>
      conflict
        .column('wallet')
        .doUpdateSet((eb) => ({ live: true, lastHeartbeat: $.at, version: eb('User.version', '+', 1) })),
    )
    .returning(USER_COLUMNS),
);

/** A live user: each new subscriber receives an event at once, which shows that its subscription works. */
async function newUser({ db, clock }: OpenDeps): Promise<UserRecord> {
  return (await db.run(INSERT, { wallet: WALLET, at: clock() + HOUR_MS }))[0]!;
}

/** The message to the twin and the peers: the frame that our server sends for the same event. */
function messageOf(user: UserRecord): string {
  const { wallet, displayName, pfpUrl, xp, live, liveSince, lastHeartbeat, platform, spaceUrl } = user;
  const shown = { wallet, displayName, pfpUrl, xp, live, liveSince, lastHeartbeat, platform, spaceUrl };
  const data = { livePresence: { kind: 'changed', at: Date.now(), user: shown } };
  return JSON.stringify({ id: ID, type: 'next', payload: { data } });
}

/** Events as fast as they can be published: messages a second until the last socket has received the last one. */
async function rateOf({ server, clients, publish }: Side, sockets: number, events: number): Promise<Round> {
  await command(clients, { expect: events * sockets, latencies: false });
  const done = answerOf<Received>(clients);
  const cpuUs = cpuOfProcess(server.pid);
  const clientsUs = cpuOfProcess(clients.pid as number);
  for (let event = 0; event < events; event++) publish();
  const { tookMs } = await done;
  return {
    perSecond: (events * sockets) / (tookMs / 1000),
    serverUs: (cpuOfProcess(server.pid) - cpuUs) / (events * sockets),
    generatorShare: (cpuOfProcess(clients.pid as number) - clientsUs) / (tookMs * 1000),
  };
}

/** Events with time between them: the time from publication until 99 % of the messages were received. */
async function latencyOf({ clients, publish }: Side, sockets: number, events: number): Promise<Round> {
  await command(clients, { expect: events * sockets, latencies: true });
  const done = answerOf<Received>(clients);
  for (let event = 0; event < events; event++) {
    publish();
    await setTimeout(EVERY_MS);
  }
  const { p50Ms, p99Ms } = await done;
  // A shorter time counts as a higher rate, so that all ratios read alike.
  return { perSecond: 1000 / p99Ms, p50Ms, p99Ms };
}

/** What each socket costs its server, in KiB of resident memory. */
async function memoryOf(sides: readonly Side[], sockets: number): Promise<number[]> {
  const costs: number[] = [];
  for (const { server, clients } of sides) {
    const { addedMiB, opened } = await weighSockets(server, clients, sockets);
    costs.push((addedMiB * 1024) / opened);
  }
  return costs;
}

function memoryLine({ name, goal }: FanOut, [ours, theirs]: readonly number[]): Line {
  return {
    name: `${name}: ${Math.round(ours as number)} : ${Math.round(theirs as number)} KiB each`,
    against: `${TWIN} + ${ALLOWED_KIB} KiB`,
    goal,
    ...weighed(((theirs as number) + ALLOWED_KIB) / (ours as number)),
  };
}
