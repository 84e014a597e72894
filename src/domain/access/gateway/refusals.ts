import { boundedCache } from '../../../base/core/caches.ts';
import { ANONYMOUS } from '../../../base/core/caller.ts';
import type { Clock } from '../../../base/core/clock.ts';
import { isPublicAddress } from '../../../base/core/url.ts';
import type { RateLimits } from '../../../base/platform/config/rate-limits.ts';
import { type Counted, networkOf, overLimit, type RateLimiter } from './rate-limits.ts';
import type { Standing } from './rolling-window.ts';

/**
 * Counts requests that were refused before they were counted as anything else, in windows of their own. A caller whose
 * window is full is refused before any work is done for its next request.
 */
export interface Refusals {
  /** Refuses with `rate_limited` (and `resetAt`, epoch ms) if a window of the caller is full. Takes nothing. */
  check(counted: Counted): void;
  /** Counts a refusal against its caller. Refuses with `rate_limited` if that fills a window up. */
  count(counted: Counted): Promise<void>;
  /** Counts an invalid credential against the address that sent it. */
  countCredential(ip: string): Promise<void>;
}

/** The windows of this process that are known to be full; the least recently used are evicted. */
const FULL = 10_000;

/** Creates the counters of a server. */
export function createRefusals(limiter: RateLimiter, clock: Clock): Refusals {
  const full = boundedCache<string, Standing>({ max: FULL });

  function check(counted: Counted): void {
    // Most servers have no such window: nothing is worked out for a request that is not near one.
    if (limiter.limits === null || full.size === 0) return;
    for (const [name] of windowsOf(limiter.limits, counted)) {
      const standing = full.get(name);
      if (!standing) continue;
      if (standing.resetAtMs > clock()) throw overLimit(standing);
      full.delete(name);
    }
  }

  async function count(counted: Counted): Promise<void> {
    if (limiter.limits === null) return;
    for (const [name, limit] of windowsOf(limiter.limits, counted)) {
      const standing = await limiter.take(name, limit, 1);
      if (standing.allowed) continue;
      full.set(name, standing);
      throw overLimit(standing);
    }
  }

  return { check, count, countCredential: (ip) => count({ caller: ANONYMOUS, ip }) };
}

/**
 * The windows of a caller's refusals, with their limits. A key or a member of a merchant has a higher limit. Anyone can
 * make wallets, so those without a merchant also share the window of their public address.
 */
function windowsOf({ others, reads }: RateLimits, { caller, ip }: Counted): [name: string, limit: number][] {
  const network = `${networkOf(ip)}:refused`;
  switch (caller.kind) {
    case 'scheduler':
      return [];
    case 'developer':
      return caller.unlimited ? [] : [[`key:${caller.keyId}:refused`, reads]];
    case 'session': {
      const { wallet, merchant } = caller;
      if (merchant !== null) return [[`session:${wallet}:${merchant}:refused`, reads]];
      const own: [string, number] = [`session:${wallet}:none:refused`, others];
      return isPublicAddress(ip) ? [own, [`wallets:${network}`, others]] : [own];
    }
    case 'buyer':
      return [[`receipt:${caller.merchant}:${caller.receiptId}:${network}`, others]];
    case 'subscriber':
      return [[`plan:${caller.planId}:${network}`, others]];
    case 'visitor':
      return [[`live:${network}`, others]];
    case 'anonymous':
      return [[`ip:${network}`, others]];
  }
}
