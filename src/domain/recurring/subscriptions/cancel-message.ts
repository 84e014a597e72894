import type { Wallet } from '../../../base/core/wallet.ts';

/** The longest validity of a cancellation signature. */
export const CANCEL_SIGNATURE_MS = 3_600_000;

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
  CancelSubscription: [
    { name: 'statement', type: 'string' },
    { name: 'subscriptionId', type: 'string' },
    { name: 'wallet', type: 'address' },
    { name: 'expiresAt', type: 'uint256' },
  ],
} as const;

/** The facts that a cancellation signature covers. `expiresAt` in epoch ms. */
export interface CancelFacts {
  readonly subscriptionId: string;
  /** The subscribing customer. */
  readonly wallet: Wallet;
  readonly expiresAt: number;
}

/**
 * The EIP-712 data that the customer signs to cancel without a session, as `eth_signTypedData_v4` takes it.
 * Deterministic: the same facts give the same data.
 */
export function cancelTypedData(chainId: number, { subscriptionId, wallet, expiresAt }: CancelFacts) {
  return {
    domain: { name: 'Quittance', version: '1', chainId },
    types,
    primaryType: 'CancelSubscription',
    message: {
      statement: 'Cancel this subscription. Nothing will be charged any more. This costs nothing and moves nothing.',
      subscriptionId,
      wallet,
      expiresAt,
    },
  } as const;
}
