import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import type { Wallet } from '../../src/core/wallet.ts';
import { type OpenDeps, openDeps } from '../../src/deps.ts';
import { issueKey } from '../../src/keys/issue.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { query } from '../../src/platform/query.ts';
import { completeSettings } from '../../src/settings.ts';
import { publishPresence } from '../../src/users/presence-event.ts';
import type { UserRecord } from '../../src/users/record.ts';
import { USER_COLUMNS } from '../../src/users/user.entity.ts';
import { startRedis } from '../support/services/redis.ts';
import type { Ground, Shop } from './ground.ts';
import type { Command, Heard } from './listeners.ts';
import { type Listening, startProgram, startServer } from './processes.ts';
import { duel, type Round } from './rounds.ts';
import type { Line } from './table.ts';

/** What is measured of the fan-out of presence events; each compares with plain `ws` and one Redis subscription. */
export const FAN_OUT = [
  { name: 'presence to 1,000 sockets, messages/s', goal: 0.75, sockets: 1_000, kind: 'rate' },
  { name: 'presence to 5,000 sockets, messages/s', goal: 0.75, sockets: 5_000, kind: 'rate' },
  // As a ratio of theirs to ours, like all others: 1.3 times as long at most.
  { name: 'presence to 1,000 sockets, p99', goal: 1 / 1.3, sockets: 1_000, kind: 'latency' },
  { name: 'memory of 5,000 subscribed sockets', goal: 1, sockets: 5_000, kind: 'memory' },
] as const satisfies readonly { name: string; goal: number; sockets: number; kind: 'rate' | 'latency' | 'memory' }[];

type FanOut = (typeof FAN_OUT)[number];

const CHANNEL = 'bench:presence';
const ID = '7a4e2f7e-94a8-4d29-a0b4-2a9e8b5b6a4d';
/** Sockets that are opened before memory is measured. */
const WARM = 100;
const SETTLE_MS = 2_000;
/** No heartbeats are sent during a run, so no user may expire. */
const HOUR_MS = 3_600_000;
/** A message that was lost would be waited for for ever. */
const PATIENCE_MS = 60_000;
const WALLET = `0x${'b'.repeat(40)}` as Wallet;
const QUERY =
  'subscription { livePresence { kind at user { wallet displayName pfpUrl xp live liveSince lastHeartbeat platform spaceUrl } } }';
/** Messages of a round, over all sockets. */
const MESSAGES = 200_000;
/** Events of a round that measures latency, and their distance. */
const LATENCY_EVENTS = 200;
const EVERY_MS = 50;
const TWIN = 'plain ws';
/** What a subscribed socket may cost above a bare one. */
const ALLOWED_KIB = 50;

/** One side of the duel. */
interface Side {
  readonly server: Listening;
  readonly clients: ChildProcess;
  publish(): void;
}

/** Measures what is `wanted` and tells each line as it is known. */
export async function benchFanOut(
  ground: Ground,
  shop: Shop,
  rounds: number,
  wanted: readonly FanOut[],
  add: (line: Line) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-bench-redis-'));
  const redis = await startRedis(folder);
  const env = { ...ground.env, REDIS_URL: redis.redisUrl, CHANNEL };
  const settings = completeSettings(readConfig(env), ground.deps.settings);
  const deps = await openDeps(settings, createLog('error'));
  try {
    const place = { deps, env, shop, redisUrl: redis.redisUrl };
    for (const sockets of [1_000, 5_000]) {
      const here = wanted.filter((row) => row.sockets === sockets);
      if (here.length > 0) await atSize(place, sockets, here, rounds, add);
    }
  } finally {
    await deps.close();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly deps: OpenDeps;
  readonly env: NodeJS.ProcessEnv;
  readonly shop: Shop;
  readonly redisUrl: string;
}

async function atSize(
  place: Place,
  sockets: number,
  rows: readonly FanOut[],
  rounds: number,
  add: (line: Line) => void,
): Promise<void> {
  const { key } = await issueKey(place.deps, {
    merchant: place.shop.wallet,
    scopes: ['graphql:read', 'users:read'],
    unlimited: true,
  });
  const user = await newUser(place.deps);
  const redis = new Redis(place.redisUrl);
  const [server, twin] = [await startServer(place.env), await startProgram('socket-twin.ts', place.env)];
  const hello = [
    JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': key } }),
    JSON.stringify({ id: ID, type: 'subscribe', payload: { query: QUERY } }),
  ];
  let version = user.version;
  const changed = () => ({
    ...user,
    version: ++version,
    displayName: String(performance.timeOrigin + performance.now()),
  });
  const ours: Side = {
    server,
    clients: await listeners(server, '/api/graphql', hello),
    publish: () => publishPresence(place.deps, [changed()]),
  };
  const theirs: Side = {
    server: twin,
    clients: await listeners(twin, '/', hello.slice(0, 1)),
    publish: () => void redis.publish(CHANNEL, messageOf(changed())),
  };
  try {
    const memory = await memoryOf([ours, theirs], sockets);
    await rateOf(ours, sockets, 20);
    await rateOf(theirs, sockets, 20);
    for (const row of rows) {
      if (row.kind === 'memory') add(memoryLine(row, memory));
      else {
        const measure = row.kind === 'rate' ? rateOf : latencyOf;
        const events = row.kind === 'rate' ? MESSAGES / sockets : LATENCY_EVENTS;
        const result = await duel(
          rounds,
          () => measure(ours, sockets, events),
          () => measure(theirs, sockets, events),
        );
        add({ ...row, against: TWIN, ...result, met: result.ratio >= row.goal, memoryMiB: server.memoryMiB() });
      }
    }
  } finally {
    redis.disconnect();
    for (const { clients, server: process } of [ours, theirs]) {
      clients.disconnect();
      await process.stop();
    }
  }
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
async function newUser({ sql, clock }: OpenDeps): Promise<UserRecord> {
  return (await sql.run(INSERT, { wallet: WALLET, at: clock() + HOUR_MS }))[0]!;
}

/** What the twin publishes: the bytes that the server makes of the same event. */
function messageOf(user: UserRecord): string {
  const { wallet, displayName, pfpUrl, xp, live, liveSince, lastHeartbeat, platform, spaceUrl } = user;
  const shown = { wallet, displayName, pfpUrl, xp, live, liveSince, lastHeartbeat, platform, spaceUrl };
  const data = { livePresence: { kind: 'changed', at: Date.now(), user: shown } };
  return JSON.stringify({ id: ID, type: 'next', payload: { data } });
}

async function listeners({ port }: Listening, path: string, hello: readonly string[]): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('listeners.ts', import.meta.url)), {
    env: { PATH: process.env.PATH, PORT: String(port), SOCKET_PATH: path, HELLO: JSON.stringify(hello) },
  });
  await once(child, 'message');
  return child;
}

/** Tells a process of listeners something, and waits for its answer. */
async function tell<T>(clients: ChildProcess, command: Command): Promise<T> {
  clients.send(command);
  return answerOf<T>(clients);
}

async function answerOf<T>(clients: ChildProcess): Promise<T> {
  const [answer] = await once(clients, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
  return answer as T;
}

/** Events as fast as they can be published: messages a second until the last socket has the last one. */
async function rateOf({ clients, publish }: Side, sockets: number, events: number): Promise<Round> {
  await tell(clients, { expect: events * sockets, latencies: false });
  const done = answerOf<Heard>(clients);
  for (let event = 0; event < events; event++) publish();
  const { tookMs } = await done;
  return { perSecond: (events * sockets) / (tookMs / 1000) };
}

/** Events with time between them: how long after its publication the slowest hundredth of messages came. */
async function latencyOf({ clients, publish }: Side, sockets: number, events: number): Promise<Round> {
  await tell(clients, { expect: events * sockets, latencies: true });
  const done = answerOf<Heard>(clients);
  for (let event = 0; event < events; event++) {
    publish();
    await setTimeout(EVERY_MS);
  }
  const { p50Ms, p99Ms } = await done;
  // A shorter time counts as a higher rate, so that all ratios read alike.
  return { perSecond: 1000 / p99Ms, p50Ms, p99Ms };
}

/**
 * Opens all sockets; what each costs its server, in KiB of resident memory. The first hundred are not counted: with
 * them comes the code.
 */
async function memoryOf(sides: readonly Side[], sockets: number): Promise<number[]> {
  const costs: number[] = [];
  for (const { server, clients } of sides) {
    await tell(clients, { open: WARM });
    await setTimeout(SETTLE_MS);
    const before = server.memoryMiB();
    await tell(clients, { open: sockets });
    await setTimeout(SETTLE_MS);
    costs.push(((server.memoryMiB() - before) * 1024) / (sockets - WARM));
  }
  return costs;
}

function memoryLine({ name, goal }: FanOut, [ours, theirs]: readonly number[]): Line {
  const ratio = ((theirs as number) + ALLOWED_KIB) / (ours as number);
  return {
    name: `${name}: ${Math.round(ours as number)} : ${Math.round(theirs as number)} KiB each`,
    against: `${TWIN} + ${ALLOWED_KIB} KiB`,
    goal,
    ratio,
    ratios: [ratio],
    met: ratio >= goal,
    ours: { perSecond: 0 },
    theirs: { perSecond: 0 },
  };
}
