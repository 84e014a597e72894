import Big from 'big.js';
import { size } from 'viem';
import type { TransactionCall } from '../../../base/chain/create2.ts';
import { readDataFee } from '../../../base/chain/data-fee.ts';
import { nativeCoin } from '../../../base/chain/tokens.ts';
import type { LaneDeps } from '../../../base/onchain/spender/deps.ts';
import { readOffer } from '../../../base/onchain/spender/fees.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type ReadRate, usdPerToken } from '../../shop/fx/usd-per-token.ts';
import { worthOf } from '../quotes/amounts.ts';
import { cannotSend } from './terms.ts';

/** The bytes of a signed transaction beside its data. */
const ENVELOPE_BYTES = 120;

/**
 * Refuses with `gasless_unavailable` if a transaction could cost more than `GASLESS_MAX_GAS_USD`: its gas at the
 * highest fee that it offers, and what a rollup takes for its data. Refuses with `exchange_rate_unavailable` if the
 * native coin has no current price.
 */
export async function requireCheapGas(
  deps: LaneDeps & Pick<Deps, 'settings'> & { readonly readRate: ReadRate },
  { data }: TransactionCall,
  gas: bigint,
): Promise<void> {
  const coin = nativeCoin(deps.chain);
  const [offer, dataFee, usdPerUnit] = await Promise.all([
    readOffer(deps),
    readDataFee(deps.chain, size(data) + ENVELOPE_BYTES),
    usdPerToken(deps.readRate, coin),
  ]);
  if (offer === null) throw cannotSend('gas_price');
  const usd = worthOf(gas * offer.maxFeePerGas + dataFee, { decimals: coin.decimals, usdPerUnit });
  if (usd.gt(new Big(deps.settings.gaslessMaxGasUsd))) throw cannotSend('gas_limit');
}
