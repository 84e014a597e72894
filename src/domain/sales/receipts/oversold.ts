import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { Oversold } from '../../shop/catalog/stock.ts';
import { perReceipt } from './per-receipt.ts';
import { OVERSOLD_NOTE } from './record-change.ts';

const OVERSOLD = query(
  'receipts-oversold',
  (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
    db
      .selectFrom('HistoryRow')
      .select(['receiptId', sql<Oversold[]>`detail->'oversold'`.as('oversold')])
      .where('merchant', '=', $.merchant)
      .where('receiptId', '=', sql<string>`any(${$.receiptIds}::text[])`)
      .where('kind', '=', 'note')
      .where('name', '=', OVERSOLD_NOTE),
  { computed: { oversold: 'jsonb' } },
);

/** What each receipt sold beyond the stock, in the order of the receipts; an empty list for none. */
async function readOversoldOf(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<Oversold[][]> {
  const rows = await deps.sql.run(OVERSOLD, { merchant, receiptIds });
  const byReceipt = new Map(rows.map(({ receiptId, oversold }) => [receiptId, oversold]));
  return receiptIds.map((id) => byReceipt.get(id) ?? []);
}

/** Loads what one receipt oversold; all receipts of one response are read at once. */
export const loadOversold = perReceipt<Oversold[]>('oversold', readOversoldOf);
