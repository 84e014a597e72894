import type { Logger } from '../../../base/platform/log/log.ts';
import { logLoss } from '../../../base/platform/redis/log-loss.ts';
import { connectRedis, type RedisClient } from '../../../base/platform/redis/redis.ts';
import { type Standing, WINDOW_MS } from './rolling-window.ts';

/** Windows shared by all processes. */
export interface SharedWindows {
  /** Adds one request; null if Redis does not respond. */
  take(key: string, limit: number, cost: number, now: number): Promise<Standing | null>;
  close(): void;
}

/** How long a hanging Redis may delay a request. */
const COMMAND_TIMEOUT_MS = 200;
/** How long to skip Redis after it did not respond. */
const RESPITE_MS = 1_000;

/**
 * The window of rolling-window.ts as a list of `time:cost` with its sum in a separate key, so that the work per request
 * is proportional to the entries that expire. KEYS: list, sum. ARGV: now, window, limit, cost. Returns allowed,
 * remaining, reset.
 */
const TAKE = `
local now, window, limit, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local total = tonumber(redis.call('GET', KEYS[2]) or '0')
local function parse(entry)
  local at = string.find(entry, ':', 1, true)
  return tonumber(string.sub(entry, 1, at - 1)), tonumber(string.sub(entry, at + 1))
end
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest do
  local moment, spent = parse(oldest)
  if moment > now - window and moment <= now + window then break end
  redis.call('LPOP', KEYS[1])
  total = total - spent
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
if not oldest then total = 0 end
local allowed, reset = 0, now + window
if total + cost <= limit then
  allowed = 1
  total = total + cost
  redis.call('RPUSH', KEYS[1], ARGV[1] .. ':' .. ARGV[4])
  if oldest then reset = parse(oldest) + window end
else
  local left, index = total, 0
  while true do
    local entry = redis.call('LINDEX', KEYS[1], index)
    if not entry then break end
    local moment, spent = parse(entry)
    left, reset, index = left - spent, moment + window, index + 1
    if left + cost <= limit then break end
  end
end
redis.call('SET', KEYS[2], total, 'PX', window * 2)
redis.call('PEXPIRE', KEYS[1], window * 2)
return {allowed, math.max(0, limit - total), reset}
`;

type TakingRedis = RedisClient & {
  take(
    list: string,
    sum: string,
    now: number,
    window: number,
    limit: number,
    cost: number,
  ): Promise<[allowed: number, remaining: number, resetAtMs: number]>;
};

/**
 * Opens the windows in Redis or a Redis cluster: both keys of a window have the same hash tag. The connection
 * reconnects by itself.
 */
export function openSharedWindows(redisUrl: string, log: Logger): SharedWindows {
  const redis = connectRedis(redisUrl, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: 1_500,
    commandTimeout: COMMAND_TIMEOUT_MS,
    scripts: { take: { lua: TAKE, numberOfKeys: 2 } },
  }) as TakingRedis;
  logLoss(redis, log, 'rate limits');
  let awayUntil = 0;
  return {
    async take(key, limit, cost, now) {
      if (redis.status !== 'ready' || performance.now() < awayUntil) return null;
      try {
        const name = `quittance:rate:{${key}}`;
        const [allowed, remaining, resetAtMs] = await redis.take(name, `${name}:sum`, now, WINDOW_MS, limit, cost);
        return { allowed: allowed === 1, limit, remaining, resetAtMs };
      } catch (error) {
        awayUntil = performance.now() + RESPITE_MS;
        log.warn({ error: (error as Error).message }, 'rate limits: counting in this process only');
        return null;
      }
    },
    close: () => redis.disconnect(),
  };
}
