import type { Token } from '../../../base/chain/token.ts';
import { currencyOf, isAtPar } from '../../../base/chain/tokens.ts';
import { Refusal } from '../../../base/core/errors.ts';
import type { Context } from '../../../base/graphql/context.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { readRateAfter, readRateAt } from './rate-history.ts';
import { currentRate } from './rates.ts';

/**
 * Reads US dollars per whole token, as decimal text: now, or at a time (epoch ms). Throws `exchange_rate_unavailable`.
 */
export type ReadRate = (symbol: string, atMs?: number) => Promise<string>;

/** The value of one whole token in US dollars, as decimal text. */
export async function usdPerToken(readRate: ReadRate, token: Token, atMs?: number): Promise<string> {
  return isAtPar(token) ? '1' : readRate(currencyOf(token), atMs);
}

/** The value of one whole token at a time (epoch ms); null if it is unknown. */
export async function rateAt(readRate: ReadRate, token: Token, atMs: number): Promise<string | null> {
  try {
    return await usdPerToken(readRate, token, atMs);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'exchange_rate_unavailable') return null;
    throw error;
  }
}

/**
 * Reads current and past exchange rates. The rate at a past time is the newest one quoted at or before it, else the
 * oldest known one, else the current one. If it was too old at that time, because no rate could be read then, it is the
 * first one after that time, which must not be further away. So a rate may be known later that is not known yet.
 */
export function configuredRates(deps: Pick<Deps, 'db' | 'settings' | 'clock' | 'rates'>): ReadRate {
  const { settings, clock, rates } = deps;
  const { maxAgeMs, maxAgeOf } = settings.fx;
  return async (symbol, atMs) => {
    if (atMs === undefined) return currentRate(rates(), symbol, clock(), maxAgeOf).usdPerUnit;
    const current = rates().get(symbol);
    const isNewest = current?.quotedAt != null && current.quotedAt <= atMs;
    const past = isNewest ? current : await readRateAt(deps.db, symbol, atMs);
    if (!past) return currentRate(rates(), symbol, clock(), maxAgeOf).usdPerUnit;
    const isTooOld = past.quotedAt !== null && atMs - past.quotedAt > maxAgeMs;
    const later = isTooOld ? await readRateAfter(deps.db, symbol, atMs) : null;
    if (later && later.quotedAt - atMs <= maxAgeMs) return later.usdPerUnit;
    return currentRate(new Map([[symbol, past]]), symbol, atMs, () => maxAgeMs).usdPerUnit;
  };
}

/** Adds the current rates to the request context, to price tokens. */
export const withRates = (context: Context) => ({ ...context, readRate: configuredRates(context) });
