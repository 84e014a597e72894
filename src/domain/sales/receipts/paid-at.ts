import { sql } from 'kysely';
import type { Receipt } from './receipt.entity.ts';

type Paying = Pick<Receipt, 'status' | 'closedAt' | 'transactionTimestamp' | 'createdAt' | 'paidToken'>;

/**
 * When a receipt was paid, or completed without a payment; null if it never was. A refunded part of a payment has no
 * `paidToken`, and was none. Receipts from before `closedAt` have the time of the block with their payment.
 */
export function paidAtOf({ status, closedAt, transactionTimestamp, createdAt, paidToken }: Paying): number | null {
  const wasPaid = status === 'paid' || status === 'completed' || (status === 'refunded' && paidToken !== null);
  return wasPaid ? (closedAt ?? transactionTimestamp ?? createdAt) : null;
}

/** When the receipt `r` was paid if it ever was, within a statement; an index of paid receipts has it. */
export const paidSince = sql<number>`coalesce(r.closed_at, r.transaction_timestamp, r.created_at)`;

/** Whether the receipt `r` was ever paid. The first condition is that of the index. */
export const wasPaid = sql<boolean>`(r.status in ('paid', 'completed', 'refunded')
  and (r.status <> 'refunded' or r.paid_token is not null))`;

/** `paidAtOf` of the receipt `r`, within a statement. */
export const paidAt = sql<number | null>`case when ${wasPaid} then ${paidSince} end`;
