import Big from 'big.js';

/** The source of a rate: configured (`static`), a feed, or `par` for US dollars. */
export type RateProvider = 'static' | 'chainlink' | 'ecb' | 'par';

/** The value of one unit of a currency, with its source and age. */
export interface QuotedRate {
  /** Exact decimal text. */
  readonly usdPerUnit: string;
  /** Epoch ms. Null: the operator configured the rate, which does not expire. */
  readonly quotedAt: number | null;
  readonly provider: RateProvider;
}

/** Rates by currency code in upper case. USD is not in it. */
export type RateTable = ReadonlyMap<string, QuotedRate>;

/** The largest rate that is accepted, in US dollars per unit. */
const MAX_USD_PER_UNIT = 1_000_000_000;

/**
 * Parses `EUR=1.0842,ETH=3100` into US dollars per unit by currency, as exact decimal text. Throws an Error that names
 * the faulty entry: not of the form `CODE=number`, not above 0, too large, listed twice, or for USD, which is always 1.
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
