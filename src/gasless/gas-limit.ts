import Big from 'big.js';
import type { ReadRate } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';
import { worthOf } from '../quotes/amounts.ts';
import type { LaneDeps } from '../spender/deps.ts';
import { readOffer } from '../spender/fees.ts';
import { cannotSend } from './terms.ts';

/**
 * Refuses with `gasless_unavailable` if a transaction could cost more than `GASLESS_MAX_GAS_USD`, at the highest fee
 * that it offers. Refuses with `exchange_rate_unavailable` if the native coin has no current price.
 */
export async function requireCheapGas(
  deps: LaneDeps & Pick<Deps, 'settings'> & { readonly readRate: ReadRate },
  gas: bigint,
): Promise<void> {
  const offer = await readOffer(deps);
  if (offer === null) throw cannotSend('gas_price');
  const { symbol, decimals } = deps.chain.client.chain!.nativeCurrency;
  const usdPerUnit = await deps.readRate(symbol);
  const usd = worthOf(gas * offer.maxFeePerGas, { decimals, usdPerUnit });
  if (usd.gt(new Big(deps.settings.gaslessMaxGasUsd))) throw cannotSend('gas_limit');
}
