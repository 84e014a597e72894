import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import { type Context, loader } from '../../../base/graphql/context.ts';
import type { Db } from '../../../base/platform/db.ts';
import { cursorOfRow } from '../../../base/platform/ordered-feed.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { walkQuery } from '../../../base/platform/sweep.ts';
import { acceptedOf, EVENT_COLUMNS, type StatusEvent } from './stream.ts';

/** The most rows of a receipt's history that are read. */
const MAX_ROWS = 500;

const HISTORY = query(
  'receipt-histories',
  (db, $: { merchant: Wallet; ids: readonly string[] }) =>
    db
      .selectFrom(sql<{ id: string }>`unnest(${$.ids}::text[])`.as<'wanted'>(sql`wanted(id)`))
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('HistoryRow as row')
            .select(EVENT_COLUMNS)
            .select([acceptedOf('row').as('accepted'), cursorOfRow('row').as('cursor')])
            .where('merchant', '=', $.merchant)
            .whereRef('receiptId', '=', 'wanted.id')
            .orderBy('seq')
            .limit(MAX_ROWS)
            .as('h'),
        (join) => join.onTrue(),
      )
      .selectAll('h'),
  { computed: { accepted: 'jsonb', cursor: 'text' } },
);

/** The receipt fields that its history needs. */
interface WithHistory {
  readonly merchant: Wallet;
  readonly id: string;
  readonly transactionHash: string | null;
}

/** The histories of several receipts of one merchant, each in order, in one query. */
async function readHistories(db: Db, merchant: Wallet, receipts: readonly WithHistory[]): Promise<StatusEvent[][]> {
  const ids = receipts.map((receipt) => receipt.id);
  const rows = await db.run(HISTORY, { merchant, ids });
  const byReceipt = Map.groupBy(rows, (row) => row.receiptId);
  return receipts.map(({ id, transactionHash }) =>
    (byReceipt.get(id) ?? []).map((row) => ({ ...row, transactionHash })),
  );
}

/** The history of one receipt, in order. */
export async function readHistory(db: Db, receipt: WithHistory): Promise<StatusEvent[]> {
  const [history] = await readHistories(db, receipt.merchant, [receipt]);
  return history ?? [];
}

const HISTORIES = Symbol('histories');

/** Loads a receipt's history; all receipts of one response are read in one query. */
export function loadHistory(context: Context, receipt: WithHistory): Promise<StatusEvent[]> {
  const histories = loader(
    context,
    HISTORIES,
    () =>
      new DataLoader<WithHistory, StatusEvent[], string>(
        (receipts) => readHistories(context.db, receipt.merchant, receipts),
        { cacheKeyFn: ({ id }) => id },
      ),
  );
  return histories.load(receipt);
}

/**
 * Deletes the steps that happened before a time, of receipts that stopped waiting for money before it. The last step
 * stays, because a subscriber begins with it, and the notes stay: they say what was accepted and what was oversold.
 */
export const DELETE_HISTORY = walkQuery('receipt-history-delete', {
  table: 'receipts',
  key: ['merchant', 'id'],
  reads: ['closed_at', 'seq'],
  from: { table: 'receipt_history', key: ['merchant', 'receipt_id'] },
  isDue: (before) => sql`page.closed_at < ${before} and t.at < ${before} and t.seq < page.seq and t.kind <> 'note'`,
});
