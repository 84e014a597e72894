import type { Oversold } from '../catalog/stock.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { perReceipt } from './per-receipt.ts';
import { OVERSOLD_NOTE } from './record-change.ts';

const OVERSOLD = statement(
  'receipts-oversold',
  `select receipt_id as "receiptId", detail->'oversold' as oversold from receipt_history
    where merchant = $1 and receipt_id = any($2) and kind = 'note' and name = '${OVERSOLD_NOTE}'`,
);

/** What each receipt sold beyond the stock, in the order of the receipts; an empty list for none. */
async function readOversoldOf(
  { sql }: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<Oversold[][]> {
  const rows = await sql.rows<{ receiptId: string; oversold: Oversold[] }>(OVERSOLD, [merchant, receiptIds]);
  const byReceipt = new Map(rows.map(({ receiptId, oversold }) => [receiptId, oversold]));
  return receiptIds.map((id) => byReceipt.get(id) ?? []);
}

/** Loads what one receipt oversold; all receipts of one response are read at once. */
export const loadOversold = perReceipt<Oversold[]>('oversold', readOversoldOf);
