import { defaultPriceFeeds, maxAgeOfFeed, type PriceFeeds } from '../../chain/price-feeds.ts';
import { isLocalChain } from '../../core/local-chains.ts';
import { parseRates } from '../../core/rates.ts';
import { faultLine } from './fault-line.ts';
import type { Given } from './given.ts';
import { ECB_DAILY_URL } from './variables.ts';

/** Where exchange rates come from. */
export interface FxConfig {
  readonly source: 'static' | 'chainlink' | 'ecb';
  /** US dollars per unit, as decimal text. */
  readonly rates: ReadonlyMap<string, string>;
  readonly feeds: PriceFeeds;
  readonly ecbUrl: string;
  /** The age from which the rate of a past payment is refused. */
  readonly maxAgeMs: number;
  /** The same for a new price, by currency. A rate that its feed should have replaced is no price of today. */
  readonly maxAgeOf: (currency: string) => number;
}

/**
 * A Chainlink feed is updated at least once a day, sometimes slightly late. The ECB publishes nothing from Thursday to
 * Tuesday at Easter.
 */
const DEFAULT_MAX_AGE_S = { static: 86_400, chainlink: 90_000, ecb: 518_400 } as const;

/** The source of rates with its defaults. Chainlink needs feeds on the first chain. */
export function readFx(given: Given, chainId: number, faults: string[]): FxConfig {
  const source = given.FX_SOURCE ?? 'static';
  const feeds = given.FX_FEEDS ?? defaultPriceFeeds(chainId);
  if (source === 'chainlink' && feeds.size === 0)
    faults.push(faultLine('FX_FEEDS', `must be set for chain ${chainId}`));
  const maxAgeMs = (given.FX_MAX_AGE_S ?? DEFAULT_MAX_AGE_S[source]) * 1000;
  const ageByFeed = source === 'chainlink' && given.FX_MAX_AGE_S === undefined;
  return {
    source,
    rates: given.FX_RATES ?? (isLocalChain(chainId) ? parseRates('EUR=1.0842,ETH=3100') : new Map()),
    feeds,
    ecbUrl: given.FX_ECB_URL ?? ECB_DAILY_URL,
    maxAgeMs,
    maxAgeOf: (currency) => {
      const feed = ageByFeed ? feeds.get(currency) : undefined;
      const ofFeed = feed === undefined ? null : maxAgeOfFeed(feed);
      return ofFeed === null ? maxAgeMs : ofFeed * 1000;
    },
  };
}
