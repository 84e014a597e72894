import type { Hash } from 'viem';

/** What has come of charging one subscription. Money in US dollars, moments in epoch ms. */
export interface ChargeResult {
  readonly subscriptionId: string;
  readonly success: boolean;
  readonly chargeId: string | null;
  readonly transactionHash: Hash | null;
  readonly amountUsd: number | null;
  readonly feeUsd: number | null;
  readonly nextChargeAt: number | null;
  /** Why not; null where it was charged. */
  readonly reason: string | null;
  /** A code of the failure catalogue, where the customer's side is the reason. */
  readonly failureCode: string | null;
}

const NOTHING = {
  success: false,
  chargeId: null,
  transactionHash: null,
  amountUsd: null,
  feeUsd: null,
  nextChargeAt: null,
  reason: null,
  failureCode: null,
} as const;

/** A result of a charge that was not made. */
export const notCharged = (subscriptionId: string, why: Partial<ChargeResult>): ChargeResult => ({
  ...NOTHING,
  subscriptionId,
  ...why,
});
