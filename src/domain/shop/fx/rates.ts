import { refuse } from '../../../base/core/errors.ts';
import type { RateProvider, RateTable } from '../../../base/core/rates.ts';

/** A rate as shown on a receipt. */
export interface CurrentRate {
  readonly usdPerUnit: string;
  /** Epoch ms. */
  readonly quotedAt: number;
  readonly provider: RateProvider;
}

/** The static rates (`FX_RATES`) as a table. */
export function staticTable(rates: ReadonlyMap<string, string>): RateTable {
  return new Map([...rates].map(([code, usdPerUnit]) => [code, { usdPerUnit, quotedAt: null, provider: 'static' }]));
}

/**
 * The current US dollars per unit of a currency; 1 for USD. Throws `exchange_rate_unavailable` if the rate is missing
 * or older than `maxAgeOf` its currency, in ms.
 */
export function currentRate(
  table: RateTable,
  currency: string,
  nowMs: number,
  maxAgeOf: (currency: string) => number,
): CurrentRate {
  if (currency === 'USD') return { usdPerUnit: '1', quotedAt: nowMs, provider: 'par' };
  const quoted = table.get(currency);
  if (!quoted) throw refuse('exchange_rate_unavailable', `No exchange rate for ${currency}`, { currency });
  const quotedAt = quoted.quotedAt ?? nowMs;
  if (nowMs - quotedAt > maxAgeOf(currency)) {
    throw refuse('exchange_rate_unavailable', `No current exchange rate for ${currency}: the last one is too old`, {
      currency,
    });
  }
  return { usdPerUnit: quoted.usdPerUnit, quotedAt, provider: quoted.provider };
}
