import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { RECORD_STATUS, type ReceiptStatus, type RecordStatus } from '../receipts/lifecycle.ts';

/** The payment state of a receipt, for a till that polls. */
export interface PaymentCheck {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** In the terms of receipt records. */
  readonly status: RecordStatus;
  /** True once the payment has its confirmations; false again after a refund. */
  readonly paid: boolean;
  readonly transactionHash: string | null;
}

const CHECK = query('payment-check', (db, $: { merchant: Wallet; id: string }) =>
  db
    .selectFrom('Receipt')
    .select(['status', 'transactionHash'])
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.id),
);

const PAID: ReadonlySet<ReceiptStatus> = new Set(['paid', 'completed']);

/** Whether a receipt is paid. Refuses with `not_found`. */
export async function checkPayment(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptId: string,
): Promise<PaymentCheck> {
  const [row] = await deps.sql.run(CHECK, { merchant, id: receiptId });
  if (!row) throw refuse('not_found', 'Receipt not found');
  return {
    merchant,
    receiptId,
    status: RECORD_STATUS[row.status],
    paid: PAID.has(row.status),
    transactionHash: row.transactionHash,
  };
}
