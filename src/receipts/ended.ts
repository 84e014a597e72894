import type { FailureCode } from './failures.ts';
import type { ReceiptStatus } from './lifecycle.ts';

/** Why a receipt ended without a payment, as its failure code. */
export const EXPIRED = 'PORTAL_SESSION_EXPIRED' satisfies FailureCode;
export const VOIDED = 'PORTAL_SESSION_CANCELLED' satisfies FailureCode;

/** The statuses that time ends. A receipt with money of the buyer, or a payment on its way, is not ended by time. */
export const EXPIRABLE: readonly ReceiptStatus[] = ['generated', 'pending', 'failed'];

/** A receipt as far as its end depends on it. Times in epoch ms. */
export interface Endable {
  readonly status: ReceiptStatus;
  readonly closedAt?: number | null;
  readonly expiresAt?: number | null;
  readonly failureCode?: string | null;
  readonly onrampCharged?: boolean;
}

/** Whether an unpaid receipt has ended: it expired or was voided, or its time is over. `now` in epoch ms. */
export const hasEnded = ({ status, closedAt, expiresAt }: Endable, now: number): boolean =>
  (status === 'failed' && closedAt != null) || (EXPIRABLE.includes(status) && expiresAt != null && expiresAt <= now);

const endedWith = ({ status, closedAt, failureCode }: Endable, code: FailureCode): boolean =>
  status === 'failed' && closedAt != null && failureCode === code;

/** Whether a receipt was ended by expiry. A merchant may allow its renewal. */
export const isExpired = (receipt: Endable): boolean => endedWith(receipt, EXPIRED);

/** Whether a receipt was ended by hand. */
export const isVoided = (receipt: Endable): boolean => endedWith(receipt, VOIDED);

/** When time ends, or has ended, an unpaid receipt that was not voided, in epoch ms; null if never. */
export const endOf = ({ status, expiresAt, onrampCharged }: Endable): number | null =>
  EXPIRABLE.includes(status) && !onrampCharged ? (expiresAt ?? null) : null;
