import type { Token } from '../chain/tokens.ts';
import { currentRate } from '../fx/rates.ts';
import type { Deps } from '../platform/deps.ts';

/** US dollars per whole token, as decimal text: now, or as of a moment (epoch ms). Refuses with `exchange_rate_unavailable`. */
export type ReadRate = (symbol: string, atMs?: number) => Promise<string>;

/** Dollar tokens that count 1:1. */
const AT_PAR: ReadonlySet<string> = new Set(['USDC', 'USDT']);

/** Whether the token counts as US dollars, so that an amount in it never goes stale. */
export const isAtPar = (token: Pick<Token, 'symbol' | 'address'>): boolean =>
  token.address !== null && AT_PAR.has(token.symbol);

/** What one whole token is worth in US dollars, as decimal text. */
export async function usdPerToken(readRate: ReadRate, token: Token, atMs?: number): Promise<string> {
  return isAtPar(token) ? '1' : readRate(token.symbol, atMs);
}

/** The exchange rates as they are known now. They do not remember what they were: a moment in the past gets the rate of now. */
export function configuredRates({ settings, clock, rates }: Pick<Deps, 'settings' | 'clock' | 'rates'>): ReadRate {
  return async (symbol) => currentRate(rates(), symbol, clock(), settings.fx.maxAgeMs).usdPerUnit;
}
