import ipaddr from 'ipaddr.js';
import { boundedCache } from '../../../base/core/caches.ts';
import { type Caller, isStranger } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { isPublicAddress } from '../../../base/core/url.ts';
import type { RateCategory } from '../../../base/platform/config/rate-limits.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { openSharedWindows } from './redis-rolling-window.ts';
import { createWindow, type Standing, type Window } from './rolling-window.ts';

/** Counts requests over the last sixty seconds. */
export interface RateLimiter {
  /** Adds a request to the window of this name, and returns the window's state. */
  take(name: string, limit: number, cost: number): Standing | Promise<Standing>;
  /** The limits of keys without limits of their own; null: rate limits are disabled. */
  readonly limits: Deps['settings']['rateLimits'];
  /** The limits of all strangers together. */
  readonly newcomerLimits: Deps['settings']['newcomerRateLimits'];
  close(): void;
}

/** The number of windows in this process; the least recently used are evicted. */
const WINDOWS = 50_000;

/**
 * Creates the limiter: exact rolling minutes, shared through Redis if `REDIS_URL` is set. While Redis does not respond,
 * each process counts locally. (Fixed windows would allow twice the limit within a minute.)
 */
export function createRateLimiter({
  settings,
  clock,
  log,
}: Pick<Deps, 'clock' | 'log'> & {
  settings: Pick<Deps['settings'], 'rateLimits' | 'newcomerRateLimits' | 'redisUrl'>;
}): RateLimiter {
  const own = boundedCache<string, Window>({ max: WINDOWS });
  const shared = settings.redisUrl && settings.rateLimits ? openSharedWindows(settings.redisUrl, log) : null;

  function takeOwn(name: string, limit: number, cost: number): Standing {
    const window = own.get(name) ?? createWindow();
    own.set(name, window);
    return window.take(limit, cost, clock());
  }

  return {
    limits: settings.rateLimits,
    newcomerLimits: settings.newcomerRateLimits,
    take: shared
      ? async (name, limit, cost) => (await shared.take(name, limit, cost, clock())) ?? takeOwn(name, limit, cost)
      : takeOwn,
    close: () => shared?.close(),
  };
}

/**
 * The strangers that use up the limit of a public address together. Private addresses belong to proxies, which carry
 * many clients, and have no such limit.
 */
const STRANGERS_PER_NETWORK = 20;
/** The same for the pages of receipts and plans: many buyers may share an address, and a stranger can make pages. */
const PAGES_PER_NETWORK = 100;

type Taken = Standing | Promise<Standing>;

/** Counts a request that its own window admits in a shared window, too. Gives the window with less left. */
function alsoIn(others: () => Taken, own: Taken): Taken {
  if (own instanceof Promise) return own.then((standing) => alsoIn(others, standing));
  if (!own.allowed) return own;
  const tighter = (shared: Standing) => (shared.allowed && own.remaining <= shared.remaining ? own : shared);
  const shared = others();
  return shared instanceof Promise ? shared.then(tighter) : tighter(shared);
}

/** The caller to count, and its address for anonymous callers. */
export interface Counted {
  readonly caller: Caller;
  readonly ip: string;
}

/**
 * Counts a request against its caller's limit. Null if there is no limit: limits are disabled, the key is unlimited, or
 * it is the operator’s scheduler. A read that costs more than the limit uses the whole limit. In every other category
 * `cost` is a number of actions, and more than the limit is always refused.
 *
 * A merchant's keys share the merchant's windows; a key with a limit of its own has its own window. The sessions of a
 * wallet share its windows in each merchant, so that people do not use up the limit of the shop's programs, and have
 * a limit of reads of their own: a page reads many fields. Page tokens count per receipt, so that buyers do not use up
 * their merchant's limit. Anonymous callers count per address, as `others`.
 *
 * Anyone can make wallets, and with `SIGNUP=open` merchants and their pages. So strangers also share the windows of
 * their public address, and those of all strangers; pages share windows of their public address.
 */
export function countQuota(
  limiter: RateLimiter,
  { caller, ip }: Counted,
  category: RateCategory,
  cost = 1,
): Standing | null | Promise<Standing> {
  if (limiter.limits === null) return null;
  const isPerson = category === 'reads' && caller.kind === 'session' && caller.merchant !== null;
  const limit = (isPerson ? limiter.limits.people : undefined) ?? limiter.limits[category];
  const spend = (name: string, most = limit) =>
    limiter.take(name, most, category === 'reads' ? Math.min(cost, most) : cost);
  const alsoAt = (name: string, callers: number, own: Taken) =>
    isPublicAddress(ip) ? alsoIn(() => spend(`${name}:${networkOf(ip)}:${category}`, callers * limit), own) : own;
  const alsoAmongStrangers = (own: Taken) =>
    isStranger(caller)
      ? alsoIn(
          () => spend(`strangers:${category}`, limiter.newcomerLimits[category]),
          alsoAt('strangers', STRANGERS_PER_NETWORK, own),
        )
      : own;
  switch (caller.kind) {
    case 'scheduler':
      return null;
    case 'developer': {
      if (caller.unlimited) return null;
      const own = caller.limits?.[category];
      return alsoAmongStrangers(
        own === undefined
          ? spend(`merchant:${caller.merchant}:${category}`)
          : spend(`key:${caller.keyId}:${category}`, own),
      );
    }
    case 'session':
      return alsoAmongStrangers(spend(`session:${caller.wallet}:${caller.merchant ?? 'none'}:${category}`));
    case 'buyer': {
      // Read-only viewers of a page do not use up the buyer's limit.
      const page = caller.readOnly ? 'receipt-read-only' : 'receipt';
      return alsoAt('pages', PAGES_PER_NETWORK, spend(`${page}:${caller.merchant}:${caller.receiptId}:${category}`));
    }
    case 'subscriber':
      // A plan's page is public, so its viewers are counted by address.
      return alsoAt('pages', PAGES_PER_NETWORK, spend(`plan:${caller.planId}:${networkOf(ip)}:${category}`));
    case 'visitor':
      return spend(`live:${networkOf(ip)}:${category}`);
    case 'anonymous':
      return spend(`ip:${networkOf(ip)}:others`, limiter.limits.others);
  }
}

/**
 * The same, but refuses with `rate_limited` (and `resetAt`, epoch milliseconds) if the limit is reached.
 *
 * @example
 * const standing = await takeQuota(limiter, { caller, ip }, 'orders');
 */
export async function takeQuota(
  limiter: RateLimiter,
  counted: Counted,
  category: RateCategory,
  cost = 1,
): Promise<Standing | null> {
  const standing = await countQuota(limiter, counted, category, cost);
  if (standing && !standing.allowed) throw overLimit(standing);
  return standing;
}

/** The refusal for a window without room for the request. */
export const overLimit = ({ resetAtMs }: Standing) => refuse('rate_limited', undefined, { resetAt: resetAtMs });

/** The network of an address: the holder of one IPv6 address holds its /64. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
