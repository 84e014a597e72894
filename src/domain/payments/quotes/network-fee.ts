import type Big from 'big.js';
import type { Chain } from '../../../base/chain/client.ts';
import type { Token } from '../../../base/chain/token.ts';
import { nativeCoin } from '../../../base/chain/tokens.ts';
import { readTransferFee } from '../../../base/chain/transfer-fee.ts';
import { type ReadRate, usdPerToken } from '../../shop/fx/usd-per-token.ts';
import { worthOf } from './amounts.ts';

/** The approximate network fee of a token transfer at present, in US dollars; null if fee or rate is unknown. */
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
