import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { RECORD_STATUS, type ReceiptStatus } from '../receipts/lifecycle.ts';

/** The payment state of a receipt, for a till that polls. */
export interface PaymentCheck {
  readonly receiptId: string;
  /** In the terms of receipt records. */
  readonly status: string;
  /** True once the payment has its confirmations; false again after a refund. */
  readonly paid: boolean;
  readonly transactionHash: string | null;
}

const CHECK = statement(
  'payment-check',
  'select status, transaction_hash as "transactionHash" from receipts where merchant = $1 and id = $2',
);

const PAID: ReadonlySet<ReceiptStatus> = new Set(['paid', 'completed']);

/** Whether a receipt is paid. Refuses with `not_found`. */
export async function checkPayment(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptId: string,
): Promise<PaymentCheck> {
  type Row = { readonly status: ReceiptStatus; readonly transactionHash: string | null };
  const [row] = await deps.sql.rows<Row>(CHECK, [merchant, receiptId]);
  if (!row) throw refuse('not_found', 'Receipt not found');
  return {
    receiptId,
    status: RECORD_STATUS[row.status],
    paid: PAID.has(row.status),
    transactionHash: row.transactionHash,
  };
}
