import type { Logger } from './log.ts';
import { connectRedis, type RedisClient } from './redis.ts';
import { createTickBatch } from './tick-batch.ts';

/**
 * When each of a set of members was last heard of; shared by all processes through Redis, else within this process. It is quick and may forget: whoever
 * keeps the members for good says anew who belongs to it (`watch`) when it may have forgotten (`onDoubt`), and looks for himself before he believes that
 * one fell silent. All but `close` reject while the store is away. Moments are epoch milliseconds.
 */
export interface Heartbeats {
  /** Notes that a member was heard of. False where it is none; it is not made one. */
  beat(member: string, at: number): Promise<boolean>;
  /** Makes members, or hears of them; a moment never goes back. */
  watch(heard: readonly Heard[]): Promise<void>;
  /** Takes members out, whatever was heard. */
  forget(members: readonly string[]): Promise<void>;
  /**
   * Members not heard of since `before`, at most `CLAIM_MAX`: given to one caller alone, in all processes, until `before` has moved on by `CLAIM_MS`.
   * Whoever has claimed them either forgets them or was killed; then another one gets them.
   */
  claimSilent(before: number): Promise<string[]>;
  /** When each was last heard of; null for one that is no member. */
  lastHeard(members: readonly string[]): Promise<(number | null)[]>;
  /** Calls back each time members may have been forgotten: whenever a connection to the store stands again. Until the returned function is called. */
  onDoubt(callback: () => void): () => void;
  close(): void;
}

export interface Heard {
  readonly member: string;
  readonly at: number;
}

const CLAIM_MAX = 500;
const CLAIM_MS = 5_000;

/** The store of a server that stands alone. */
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

/** A Redis that hangs must not hold a request for longer. */
const COMMAND_TIMEOUT_MS = 500;
/** How long a Redis that did not answer is left alone. */
const RESPITE_MS = 1_000;

const CLAIM = `
local silent = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, member in ipairs(silent) do redis.call('ZADD', KEYS[1], ARGV[2], member) end
return silent
`;
type ScriptedRedis = RedisClient & {
  claim(key: string, before: number, until: number, most: number): Promise<string[]>;
};

/**
 * The store in Redis, under a name that begins with `prefix`. The connection comes back by itself; what Redis forgot meanwhile must be watched anew.
 */
export function createRedisHeartbeats(redisUrl: string, prefix: string, log: Logger): Heartbeats {
  /** A sorted set, by the moment each was last heard of. */
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
  redis.on('error', (error: Error) => log.warn({ error: error.message }, 'heartbeats: redis connection lost'));
  let awayUntil = 0;

  async function asked<T>(command: () => Promise<T>): Promise<T> {
    if (redis.status !== 'ready' || performance.now() < awayUntil) throw new Error('Redis does not answer');
    try {
      return await command();
    } catch (error) {
      awayUntil = performance.now() + RESPITE_MS;
      throw error;
    }
  }
  const scores = (members: readonly string[]) => asked(() => redis.zmscore(key, ...members));

  return {
    beat: gatherBeats(async (beats) => {
      const pairs = [...beats].flatMap(([member, at]) => [at, member]);
      // Changed are all members, except those that were heard of in this very millisecond.
      const changed = await asked(() => redis.zadd(key, 'XX', 'GT', 'CH', ...(pairs as string[])));
      if (Number(changed) === beats.size) return null;
      const members = [...beats.keys()];
      const found = await scores(members);
      return new Set(members.filter((_, i) => found[i] === null));
    }),
    async watch(all) {
      for (let from = 0; from < all.length; from += CLAIM_MAX) {
        const pairs = all.slice(from, from + CLAIM_MAX).flatMap(({ member, at }) => [at, member]);
        await asked(() => redis.zadd(key, 'GT', ...(pairs as string[])));
      }
    },
    async forget(members) {
      if (members.length > 0) await asked(() => redis.zrem(key, ...members));
    },
    claimSilent: (before) => asked(() => redis.claim(key, before, before + CLAIM_MS, CLAIM_MAX)),
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
 * Sends what is heard in one turn of the event loop as one command.
 *
 * @param send answers which of these are no members; null: none of them
 */
function gatherBeats(
  send: (beats: ReadonlyMap<string, number>) => Promise<ReadonlySet<string> | null>,
): Heartbeats['beat'] {
  const turn = createTickBatch();
  let gathered: { beats: Map<string, number>; strangers: Promise<ReadonlySet<string> | null> } | null = null;

  function gather() {
    const beats = new Map<string, number>();
    const { promise: strangers, resolve } = Promise.withResolvers<ReadonlySet<string> | null>();
    turn.atEnd(() => {
      gathered = null;
      resolve(send(beats));
    });
    return { beats, strangers };
  }

  return (member, at) => {
    gathered ??= gather();
    const { beats, strangers } = gathered;
    beats.set(member, Math.max(at, beats.get(member) ?? 0));
    return strangers.then((none) => none === null || !none.has(member));
  };
}
