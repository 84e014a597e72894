import type Big from 'big.js';
import type { Chain } from '../chain/client.ts';
import type { Token } from '../chain/token.ts';
import { nativeCoin } from '../chain/tokens.ts';
import { readTransferFee } from '../chain/transfer-fee.ts';
import { type ReadRate, usdPerToken } from '../fx/usd-per-token.ts';
import { worthOf } from './amounts.ts';

/** What a buyer pays to the chain for a transfer of a token now, about, in US dollars; null while that is unknown. */
export async function networkFeeUsd(
  { chain, readRate }: { readonly chain: Chain; readonly readRate: ReadRate },
  token: Pick<Token, 'address'>,
): Promise<Big | null> {
  const coin = nativeCoin(chain);
  const [fee, usdPerUnit] = await Promise.all([
    readTransferFee(chain, token.address === null ? 'coin' : 'token'),
    usdPerToken(readRate, coin).catch(() => null),
  ]);
  return fee === null || usdPerUnit === null ? null : worthOf(fee, { decimals: coin.decimals, usdPerUnit });
}
