import type { FailureCode } from './failures.ts';
import { isWaiting, type ReceiptStatus } from './lifecycle.ts';

/** Why a receipt ended without a payment, as its failure code. */
export const EXPIRED = 'PORTAL_SESSION_EXPIRED' satisfies FailureCode;
export const VOIDED = 'PORTAL_SESSION_CANCELLED' satisfies FailureCode;

const HOUR_MS = 3_600_000;

/** A receipt as far as its end depends on it. Times in epoch ms. */
export interface Endable {
  readonly status: ReceiptStatus;
  readonly closedAt?: number | null;
  readonly expiresAt?: number | null;
  readonly failureCode?: string | null;
  /** The time of the payment that names its buyer; null as long as nothing but dust has arrived. Epoch ms. */
  readonly transactionTimestamp?: number | null;
}

/**
 * Whether a receipt that is not paid holds money of its buyer, more than dust. The status does not say it:
 * `tx_mismatch` may mean that the money went elsewhere, and a receipt that has failed may hold a part of its payment.
 */
export const holdsMoney = (receipt: Pick<Endable, 'status' | 'transactionTimestamp'>): boolean =>
  isWaiting(receipt) && receipt.transactionTimestamp != null;

/** The status in which a receipt that had failed waits again: for its payment, or for the rest of it. */
export const waitsAs = (receipt: Pick<Endable, 'status' | 'transactionTimestamp'>): 'pending' | 'tx_mismatch' =>
  holdsMoney(receipt) ? 'tx_mismatch' : 'pending';

/** Whether it waits for the rest of its payment. */
export const isPartPaid = (receipt: Pick<Endable, 'status' | 'transactionTimestamp'>): boolean =>
  receipt.status === 'tx_mismatch' && holdsMoney(receipt);

/**
 * When time ends, or has ended, an unpaid receipt that was not voided, in epoch ms; null if never. One that waits for
 * the rest of its payment ends later, by the time for which its merchant accepts late money. A receipt whose money is
 * on its way may stay open longer.
 */
export function endOf(receipt: Endable, lateHours: number): number | null {
  if (!isWaiting(receipt) || receipt.expiresAt == null) return null;
  return isPartPaid(receipt) ? receipt.expiresAt + lateHours * HOUR_MS : receipt.expiresAt;
}

/** Whether an unpaid receipt has ended: it expired or was voided, or its time is over. `now` in epoch ms. */
export function hasEnded(receipt: Endable, now: number, lateHours: number): boolean {
  if (receipt.status === 'failed' && receipt.closedAt != null) return true;
  const end = endOf(receipt, lateHours);
  return end !== null && end <= now;
}

const endedWith = ({ status, closedAt, failureCode }: Endable, code: FailureCode): boolean =>
  status === 'failed' && closedAt != null && failureCode === code;

/** Whether a receipt was ended by expiry. A merchant may allow its renewal. */
export const isExpired = (receipt: Endable): boolean => endedWith(receipt, EXPIRED);

/** Whether a receipt was ended by hand. */
export const isVoided = (receipt: Endable): boolean => endedWith(receipt, VOIDED);
