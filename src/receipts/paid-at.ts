import type { ReceiptColumns } from './receipt.entity.ts';

/**
 * When a receipt was paid, or completed without a payment; null if it never was. A refunded part of a payment has no
 * `paidToken`, and was none. Receipts from before `closedAt` have the time of the block with their payment.
 */
export function paidAtOf({
  status,
  closedAt,
  transactionTimestamp,
  paidToken,
}: Pick<ReceiptColumns, 'status' | 'closedAt' | 'transactionTimestamp' | 'paidToken'>): number | null {
  const wasPaid = status === 'paid' || status === 'completed' || (status === 'refunded' && paidToken !== null);
  return wasPaid ? (closedAt ?? transactionTimestamp) : null;
}
