import type { Token } from '../chain/token.ts';
import { currencyOf, isAtPar } from '../chain/tokens.ts';
import type { Deps } from '../platform/deps.ts';
import { readRateAt } from './rate-history.ts';
import { currentRate } from './rates.ts';

/**
 * Reads US dollars per whole token, as decimal text: now, or at a time (epoch ms). Throws `exchange_rate_unavailable`.
 */
export type ReadRate = (symbol: string, atMs?: number) => Promise<string>;

/** The value of one whole token in US dollars, as decimal text. */
export async function usdPerToken(readRate: ReadRate, token: Token, atMs?: number): Promise<string> {
  return isAtPar(token) ? '1' : readRate(currencyOf(token), atMs);
}

/**
 * Reads current and past exchange rates. The rate at a past time is the newest one quoted at or before it, else the
 * oldest known one, else the current one. It must not have been too old at that time.
 */
export function configuredRates(deps: Pick<Deps, 'settings' | 'sql' | 'clock' | 'rates'>): ReadRate {
  const { settings, clock, rates } = deps;
  const { maxAgeMs } = settings.fx;
  return async (symbol, atMs) => {
    if (atMs === undefined) return currentRate(rates(), symbol, clock(), maxAgeMs).usdPerUnit;
    const current = rates().get(symbol);
    const isNewest = current?.quotedAt != null && current.quotedAt <= atMs;
    const past = isNewest ? current : await readRateAt(deps, symbol, atMs);
    if (!past) return currentRate(rates(), symbol, clock(), maxAgeMs).usdPerUnit;
    return currentRate(new Map([[symbol, past]]), symbol, atMs, maxAgeMs).usdPerUnit;
  };
}
