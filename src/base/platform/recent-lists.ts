import { boundedCache } from '../core/caches.ts';
import type { Logger } from './log/log.ts';
import { logLoss } from './redis/log-loss.ts';
import { connectRedis, type RedisClient } from './redis/redis.ts';

/**
 * The latest entries of named lists, such as one for each merchant. All processes share them through Redis, or they
 * belong to this process without Redis. Each list has a maximum length and ends `KEPT_MS` after its last entry. Entries
 * may be lost: the lists are for people who look for a cause, and nothing depends on them.
 */
export interface RecentLists {
  /** Adds an entry in the background. Never throws and never waits. */
  add(list: string, entry: string): void;
  /**
   * The entries of a list, the newest first. Entries that Redis did not take come before all others.
   */
  read(list: string): Promise<string[]>;
  close(): void;
}

/** The number of entries that a list keeps. */
export const LIST_MAX = 100;
/** How long a list without a new entry is kept. */
export const KEPT_MS = 7 * 86_400_000;
/** The number of lists that a process keeps; the least recently used are evicted. */
const LISTS_MAX = 1_000;

/** The lists within one process. */
export function createLocalRecentLists(): RecentLists {
  const lists = boundedCache<string, string[]>({ max: LISTS_MAX, ttl: KEPT_MS });
  return {
    add: (list, entry) => void lists.set(list, [entry, ...(lists.get(list) ?? [])].slice(0, LIST_MAX)),
    read: async (list) => [...(lists.get(list) ?? [])],
    close: () => lists.clear(),
  };
}

/** How long a Redis server that hangs may delay a read. */
const COMMAND_TIMEOUT_MS = 500;

/** KEYS: list. ARGV: length of the list, time to live in ms, the entries from the oldest to the newest. */
const ADD = `
for i = 3, #ARGV do redis.call('LPUSH', KEYS[1], ARGV[i]) end
redis.call('LTRIM', KEYS[1], 0, ARGV[1] - 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
`;
type ScriptedRedis = RedisClient & {
  addRecent(key: string, max: number, keptMs: number, ...entries: readonly string[]): Promise<null>;
};

/**
 * The lists in Redis, under keys that begin with `prefix`. While Redis does not answer, each process keeps its own. The
 * entries that arrive during a write are written together by the next one, at most `LIST_MAX` of each list.
 */
export function createRedisRecentLists(redisUrl: string, prefix: string, log: Logger): RecentLists {
  const own = createLocalRecentLists();
  const redis = connectRedis(redisUrl, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: 1_500,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
    scripts: { addRecent: { lua: ADD, numberOfKeys: 1 } },
  }) as ScriptedRedis;
  logLoss(redis, log, 'recent lists');
  const keyOf = (list: string) => `${prefix}recent:${list}`;
  let waiting = new Map<string, string[]>();
  let writing = false;

  async function write(): Promise<void> {
    writing = true;
    while (waiting.size > 0) {
      const written = waiting;
      waiting = new Map();
      await Promise.all(
        [...written].map(async ([list, entries]) => {
          try {
            await redis.addRecent(keyOf(list), LIST_MAX, KEPT_MS, ...entries);
          } catch {
            for (const entry of entries) own.add(list, entry);
          }
        }),
      );
    }
    writing = false;
  }

  return {
    add(list, entry) {
      const entries = waiting.get(list) ?? [];
      if (entries.length === LIST_MAX) entries.shift();
      entries.push(entry);
      waiting.set(list, entries);
      if (!writing) void write();
    },
    async read(list) {
      const kept = await own.read(list);
      const shared = await redis.lrange(keyOf(list), 0, LIST_MAX - 1).catch(() => []);
      return [...kept, ...shared].slice(0, LIST_MAX);
    },
    close: () => redis.disconnect(),
  };
}
