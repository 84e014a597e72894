import type { ReceiptColumns } from './receipt.entity.ts';

/**
 * When a receipt was paid, or completed without a payment; null if it never was. Receipts from before `closedAt` have
 * the time of the block with their payment.
 */
export function paidAtOf({
  status,
  closedAt,
  transactionTimestamp,
}: Pick<ReceiptColumns, 'status' | 'closedAt' | 'transactionTimestamp'>): number | null {
  const wasPaid = status === 'paid' || status === 'completed' || status === 'refunded';
  return wasPaid ? (closedAt ?? transactionTimestamp) : null;
}
