import type { Hash } from 'viem';
import type { ErrorCode } from '../../../base/core/errors.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';

/** Why a subscription was not charged. */
export type ChargeReason =
  | 'not_due'
  | 'declined'
  | 'reverted'
  | 'revoked'
  | 'expired'
  | 'pending'
  | 'permission_not_usable'
  | 'payments_paused'
  | 'spender_out_of_funds'
  | 'fees_too_high'
  | ErrorCode;

/** The result of charging one subscription. Money in US dollars, times in epoch ms. */
export interface ChargeResult {
  readonly subscriptionId: string;
  readonly success: boolean;
  readonly chargeId: string | null;
  readonly transactionHash: Hash | null;
  readonly amountUsd: number | null;
  readonly feeUsd: number | null;
  readonly nextChargeAt: number | null;
  /** Why the charge failed; null if it succeeded. */
  readonly reason: ChargeReason | null;
  /** A code of the failure catalogue, if the reason is on the customer's side. */
  readonly failureCode: FailureCode | null;
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

/** The result of a charge that did not happen. */
export const notCharged = (subscriptionId: string, why: Partial<ChargeResult>): ChargeResult => ({
  ...NOTHING,
  subscriptionId,
  ...why,
});
