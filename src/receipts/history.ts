import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { StatusEvent } from './stream.ts';

const HISTORY = statement(
  'receipt-history',
  `select receipt_id as "receiptId", seq, kind, status, previous_status as "previousStatus", name, at, txid || '.' || position as cursor
     from receipt_history where merchant = $1 and receipt_id = $2 order by seq limit 500`,
);

/** The history of a receipt, in order. */
export async function readHistory(
  deps: Pick<Deps, 'sql'>,
  receipt: { readonly merchant: Wallet; readonly id: string; readonly transactionHash: string | null },
): Promise<StatusEvent[]> {
  const rows = await deps.sql.rows<Omit<StatusEvent, 'transactionHash'>>(HISTORY, [receipt.merchant, receipt.id]);
  return rows.map((row) => ({ ...row, transactionHash: receipt.transactionHash }));
}
