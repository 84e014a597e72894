import { toDecimal } from '../../../base/chain/tokens.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import type { ReceiptRow } from '../../sales/receipts/read.ts';

/** The exact sum of a receipt's payments. */
export interface PaidAmount {
  readonly token: string;
  /** Base units of the token. */
  readonly amount: string;
  /** The amount in whole tokens, as decimal text. */
  readonly display: string;
}

/** The amount paid on a receipt; null before a payment counts, and for a token that the server no longer supports. */
export function paidAmount(
  deps: Pick<Deps, 'chain' | 'chains'>,
  { paidToken, paidAmount: amount, paymentChainId }: Pick<ReceiptRow, 'paidToken' | 'paidAmount' | 'paymentChainId'>,
): PaidAmount | null {
  const decimals = tokenOn(deps, paymentChainId, paidToken)?.decimals;
  if (paidToken === null || amount === null || decimals === undefined) return null;
  return { token: paidToken, amount, display: toDecimal(BigInt(amount), decimals) };
}
