import type { Logger } from './log/log.ts';
import { createTickBatch } from './postgres/tick-batch.ts';
import { logLoss } from './redis/log-loss.ts';
import { connectRedis, type RedisClient } from './redis/redis.ts';

/**
 * The last heartbeat of each member of a set, shared by all processes through Redis, or within this process without
 * Redis. The store is fast and may lose members. The owner of the members adds them again (`watch`) when they may have
 * been lost (`onDoubt`), and checks the database before it treats a member as silent. All functions but `close` reject
 * while the store is away. Times are epoch milliseconds.
 */
export interface Heartbeats {
  /** Records a heartbeat. False if `member` is not in the set; it is not added. */
  beat(member: string, at: number): Promise<boolean>;
  /** Adds members, or records their heartbeats. A recorded time never decreases. */
  watch(heard: readonly Heard[]): Promise<void>;
  /** Removes members. */
  forget(members: readonly string[]): Promise<void>;
  /**
   * Claims members without a heartbeat since `before`, at most `CLAIM_MAX`. No other caller in any process gets them
   * until `before` has advanced by `CLAIM_MS`. The caller must `forget` them; if it is killed, another caller gets
   * them.
   */
  claimSilent(before: number): Promise<string[]>;
  /** The last heartbeat of each member; null if it is not in the set. */
  lastHeard(members: readonly string[]): Promise<(number | null)[]>;
  /**
   * Calls `callback` each time members may have been lost: after each connect to the store. Returns a function that
   * ends it.
   */
  onDoubt(callback: () => void): () => void;
  close(): void;
}

interface Heard {
  readonly member: string;
  readonly at: number;
}

const CLAIM_MAX = 500;
const CLAIM_MS = 5_000;

/** The store within one process. */
export function createLocalHeartbeats(): Heartbeats {
  const heard = new Map<string, number>();
  const hear = (member: string, at: number) => void heard.set(member, Math.max(at, heard.get(member) ?? 0));
  return {
    async beat(member, at) {
      if (!heard.has(member)) return false;
      hear(member, at);
      return true;
    },
    async watch(all) {
      for (const { member, at } of all) hear(member, at);
    },
    async forget(members) {
      for (const member of members) heard.delete(member);
    },
    async claimSilent(before) {
      const silent: string[] = [];
      for (const [member, at] of heard) {
        if (at > before) continue;
        silent.push(member);
        heard.set(member, before + CLAIM_MS);
        if (silent.length === CLAIM_MAX) break;
      }
      return silent;
    },
    lastHeard: async (members) => members.map((member) => heard.get(member) ?? null),
    onDoubt: () => () => {},
    close: () => heard.clear(),
  };
}

/** The longest time that a Redis server that hangs may delay a request. */
const COMMAND_TIMEOUT_MS = 500;
/** How long no command is sent after one was not answered. */
const PAUSE_MS = 1_000;

const CLAIM = `
local silent = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, member in ipairs(silent) do redis.call('ZADD', KEYS[1], ARGV[2], member) end
return silent
`;
type ScriptedRedis = RedisClient & {
  claim(key: string, before: number, until: number, most: number): Promise<string[]>;
};

/**
 * The store in Redis, under a key that begins with `prefix`. It reconnects; members that Redis has lost must be added
 * again.
 */
export function createRedisHeartbeats(redisUrl: string, prefix: string, log: Logger): Heartbeats {
  /** A sorted set by the time of the last heartbeat. */
  const key = `${prefix}heartbeats`;
  const redis = connectRedis(redisUrl, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: 1_500,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
    scripts: {
      claim: { lua: CLAIM, numberOfKeys: 1 },
    },
  }) as ScriptedRedis;
  logLoss(redis, log, 'heartbeats');
  let awayUntil = 0;

  async function run<T>(command: () => Promise<T>): Promise<T> {
    if (redis.status !== 'ready' || performance.now() < awayUntil) throw new Error('Redis does not answer');
    try {
      return await command();
    } catch (error) {
      awayUntil = performance.now() + PAUSE_MS;
      throw error;
    }
  }
  const scores = (members: readonly string[]) => run(() => redis.zmscore(key, ...members));

  return {
    beat: gatherBeats(async (beats) => {
      const pairs = [...beats].flatMap(([member, at]) => [at, member]);
      // All members change, except those with a heartbeat in the same millisecond.
      const changed = await run(() => redis.zadd(key, 'XX', 'GT', 'CH', ...(pairs as string[])));
      if (Number(changed) === beats.size) return null;
      const members = [...beats.keys()];
      const found = await scores(members);
      return new Set(members.filter((_, i) => found[i] === null));
    }),
    async watch(all) {
      for (let from = 0; from < all.length; from += CLAIM_MAX) {
        const pairs = all.slice(from, from + CLAIM_MAX).flatMap(({ member, at }) => [at, member]);
        await run(() => redis.zadd(key, 'GT', ...(pairs as string[])));
      }
    },
    async forget(members) {
      if (members.length > 0) await run(() => redis.zrem(key, ...members));
    },
    claimSilent: (before) => run(() => redis.claim(key, before, before + CLAIM_MS, CLAIM_MAX)),
    async lastHeard(members) {
      if (members.length === 0) return [];
      return (await scores(members)).map((score) => (score === null ? null : Number(score)));
    },
    onDoubt(callback) {
      redis.on('ready', callback);
      if (redis.status === 'ready') callback();
      return () => void redis.off('ready', callback);
    },
    close: () => redis.disconnect(),
  };
}

/**
 * Sends the heartbeats of one tickBatch of the event loop as one command.
 *
 * @param send returns those that are not members; null: all are members
 */
function gatherBeats(
  send: (beats: ReadonlyMap<string, number>) => Promise<ReadonlySet<string> | null>,
): Heartbeats['beat'] {
  const tickBatch = createTickBatch();
  let gathered: { beats: Map<string, number>; missing: Promise<ReadonlySet<string> | null> } | null = null;

  function gather() {
    const beats = new Map<string, number>();
    const { promise: missing, resolve } = Promise.withResolvers<ReadonlySet<string> | null>();
    tickBatch.atEnd(() => {
      gathered = null;
      resolve(send(beats));
    });
    return { beats, missing };
  }

  return (member, at) => {
    gathered ??= gather();
    const { beats, missing } = gathered;
    beats.set(member, Math.max(at, beats.get(member) ?? 0));
    return missing.then((none) => none === null || !none.has(member));
  };
}
