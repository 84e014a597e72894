import type { ReceiptStatus } from './lifecycle.ts';

/** The statuses that time ends. A receipt with money of the buyer, or a payment on its way, is not ended by time. */
export const EXPIRABLE: readonly ReceiptStatus[] = ['generated', 'pending', 'failed'];

/** Whether an unpaid receipt has ended: it expired or was voided, or its time is over. `now` in epoch ms. */
export const hasEnded = (
  {
    status,
    closedAt,
    expiresAt,
  }: {
    readonly status: ReceiptStatus;
    readonly closedAt?: number | null;
    readonly expiresAt?: number | null;
  },
  now: number,
): boolean =>
  (status === 'failed' && closedAt != null) || (EXPIRABLE.includes(status) && expiresAt != null && expiresAt <= now);
