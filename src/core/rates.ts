import Big from 'big.js';

/** What one unit of a currency is worth, who says so, and since when. */
export interface QuotedRate {
  /** Exact decimal text. */
  readonly usdPerUnit: string;
  /** Epoch ms; null for a rate that the operator has set by hand, which does not age. */
  readonly quotedAt: number | null;
  readonly provider: string;
}

/** Rates by currency code in upper case. USD is not in it. */
export type RateTable = ReadonlyMap<string, QuotedRate>;

/** The largest rate that is believed: US dollars for one unit of anything. */
const MAX_USD_PER_UNIT = 1_000_000_000;

/**
 * Reads `EUR=1.0842,ETH=3100` as US dollars per unit, by currency, in exact decimal text. Throws an Error that names the entry at fault: not of the form
 * `CODE=number`, not above 0, listed twice, or for USD, which is always 1.
 */
export function parseRates(text: string): Map<string, string> {
  const rates = new Map<string, string>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const match = /^([A-Za-z][A-Za-z0-9]{1,11})\s*=\s*(\d+(?:\.\d+)?)$/.exec(entry);
    if (!match) throw new Error(`"${entry}" is not of the form EUR=1.0842`);
    const currency = match[1]!.toUpperCase();
    const usdPerUnit = new Big(match[2]!);
    if (currency === 'USD') throw new Error(`"${entry}": USD is always 1 and cannot be set`);
    if (usdPerUnit.lte(0) || usdPerUnit.gt(MAX_USD_PER_UNIT))
      throw new Error(`"${entry}": the rate must be above 0 and at most ${MAX_USD_PER_UNIT}`);
    if (rates.has(currency)) throw new Error(`"${entry}": ${currency} is listed twice`);
    rates.set(currency, usdPerUnit.toFixed());
  }
  return rates;
}
