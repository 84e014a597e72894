import { currencyOf, isAtPar } from '../../../base/chain/tokens.ts';
import type { Deps } from '../../../base/platform/deps.ts';

type CoinDeps = Pick<Deps, 'settings' | 'chain' | 'rates'>;

/**
 * The coins whose price in production is a static rate of `FX_RATES`, by symbol. Such a rate never expires, so buyers
 * pay too much or too little once the market has moved. Tokens at par with the dollar are not included; EURC is, by the
 * rate of the euro.
 */
export function staticCoins({ settings, chain, rates }: CoinDeps): string[] {
  if (settings.environment !== 'production') return [];
  const table = rates();
  return chain.tokens
    .filter((token) => !isAtPar(token) && table.get(currencyOf(token))?.quotedAt === null)
    .map(({ symbol }) => symbol);
}

/** Logs `alert: 'static_rate'` once at start. */
export function warnOfStaticCoins(deps: CoinDeps & Pick<Deps, 'log'>): void {
  const coins = staticCoins(deps);
  if (coins.length > 0)
    deps.log.warn({ alert: 'static_rate', coins }, 'coins have a static rate (FX_RATES), which never expires');
}
