import { isAtPar, type Token } from '../chain/tokens.ts';
import type { Deps } from '../platform/deps.ts';
import { readRateAt } from './rate-history.ts';
import { currentRate } from './rates.ts';

/** US dollars per whole token, as decimal text: now, or as of a moment (epoch ms). Refuses with `exchange_rate_unavailable`. */
export type ReadRate = (symbol: string, atMs?: number) => Promise<string>;

/** What one whole token is worth in US dollars, as decimal text. */
export async function usdPerToken(readRate: ReadRate, token: Token, atMs?: number): Promise<string> {
  return isAtPar(token) ? '1' : readRate(token.symbol, atMs);
}

/**
 * The exchange rates as they are known now, and as they were: of a moment in the past counts the newest rate that was not quoted after it, else the oldest
 * that is known, else the one of now. It must not have been too old at that moment.
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
