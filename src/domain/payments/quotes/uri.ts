import type { Token } from '../../../base/chain/token.ts';
import type { Wallet } from '../../../base/core/wallet.ts';

/** The transfer that a wallet is asked to make. */
export interface PaymentRequest {
  readonly token: Pick<Token, 'address'>;
  readonly chainId: number;
  readonly payTo: Wallet;
  /** Base units. */
  readonly amount: bigint;
}

/** The payment request as a link for a QR code (EIP-681, https://eips.ethereum.org/EIPS/eip-681). */
export function paymentUri({ token, chainId, payTo, amount }: PaymentRequest): string {
  return token.address === null
    ? `ethereum:${payTo}@${chainId}?value=${amount}`
    : `ethereum:${token.address}@${chainId}/transfer?address=${payTo}&uint256=${amount}`;
}
