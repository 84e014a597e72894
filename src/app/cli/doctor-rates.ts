import type { Chain } from '../../base/chain/client.ts';
import { createChain } from '../../base/chain/client.ts';
import { currencyOf, isAtPar } from '../../base/chain/tokens.ts';
import { isLocalChain } from '../../base/core/local-chains.ts';
import { DESTINATIONS } from '../../base/outgoing/destinations.ts';
import type { Config } from '../../base/platform/config/config.ts';
import { rateReaders } from '../../domain/shop/fx/live-rates.ts';
import type { Finding } from './doctor-finding.ts';

/** Checks that each rate of FX_SOURCE can be read and is new enough, and that each coin on offer has one. */
export async function checkRates(config: Config): Promise<Finding[]> {
  const { fx, rpcUrl, chainId } = config;
  if (isLocalChain(chainId) && fx.source !== 'ecb') return [];
  const readers = fx.source === 'chainlink' && rpcUrl === null ? {} : rateReaders(config, firstChain, Date.now);
  const read = Object.entries(readers).map(([currency, reader]) => checkRate(config, currency, reader));
  const priced = new Set([...fx.rates.keys(), ...Object.keys(readers)]);
  return [...(await Promise.all(read)), ...coinsWithoutRate(config, priced)];

  function firstChain(): Chain {
    return createChain({ ...config, rpcUrl: rpcUrl as string });
  }
}

async function checkRate(
  { fx }: Config,
  currency: string,
  read: (signal: AbortSignal) => Promise<{ readonly usdPerUnit: string; readonly quotedAt: number | null }>,
): Promise<Finding> {
  const check = `rate of ${currency} (FX_SOURCE=${fx.source})`;
  try {
    const { usdPerUnit, quotedAt } = await read(AbortSignal.timeout(DESTINATIONS.rates.timeoutMs));
    const ageMs = Date.now() - (quotedAt ?? Date.now());
    if (ageMs <= fx.maxAgeOf(currency)) return { check, state: 'ok', found: `${usdPerUnit} dollars`, fix: null };
    const fix = 'Use another source, or raise FX_MAX_AGE_S: a rate that is older is refused.';
    return { check, state: 'wrong', found: `it is ${Math.round(ageMs / 1000)} s old`, fix };
  } catch (error) {
    const { shortMessage, message } = error as Error & { readonly shortMessage?: string };
    const reason = shortMessage ?? message.split('\n')[0];
    const fix = 'Correct FX_SOURCE, FX_FEEDS or FX_ECB_URL, or let this machine reach the source.';
    return { check, state: 'wrong', found: `it cannot be read: ${reason}`, fix };
  }
}

/** The coins that pages would show and quotes refuse. */
function coinsWithoutRate({ tokens, furtherChains, fx }: Config, priced: ReadonlySet<string>): Finding[] {
  const all = [...tokens, ...furtherChains.flatMap((chain) => chain.tokens)];
  const missing = all.filter((token) => !isAtPar(token) && !priced.has(currencyOf(token)));
  const fix =
    fx.source === 'static'
      ? 'Set FX_SOURCE=chainlink, or remove the coin from TOKENS.'
      : 'Add its feed to FX_FEEDS, or remove the coin from TOKENS.';
  return [...new Set(missing.map(({ symbol }) => symbol))].map((symbol) => ({
    ...({ check: `rate of ${symbol}`, state: 'wrong', fix } as const),
    found: 'it has none: quotes in it are refused with exchange_rate_unavailable',
  }));
}
