import DataLoader from 'dataloader';
import type { Wallet } from '../core/wallet.ts';
import { type Context, loader } from '../graphql/context.ts';
import type { Deps } from '../platform/deps.ts';
import { CURSOR_PREFIX } from '../platform/ordered-feed.ts';
import { statement } from '../platform/sql.ts';
import type { StatusEvent } from './stream.ts';

const HISTORY = statement(
  'receipt-histories',
  `select h.* from unnest($2::text[]) as wanted(id) cross join lateral
     (select receipt_id as "receiptId", seq, kind, status, previous_status as "previousStatus", name, at,
        ${CURSOR_PREFIX} || txid || '.' || position as cursor
        from receipt_history where merchant = $1 and receipt_id = wanted.id order by seq limit 500) h`,
);

/** The receipt fields that its history needs. */
interface WithHistory {
  readonly merchant: Wallet;
  readonly id: string;
  readonly transactionHash: string | null;
}

/** The histories of several receipts of one merchant, each in order, in one query. */
async function readHistories(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receipts: readonly WithHistory[],
): Promise<StatusEvent[][]> {
  const ids = receipts.map((receipt) => receipt.id);
  const rows = await deps.sql.rows<Omit<StatusEvent, 'transactionHash'>>(HISTORY, [merchant, ids]);
  const byReceipt = Map.groupBy(rows, (row) => row.receiptId);
  return receipts.map(({ id, transactionHash }) =>
    (byReceipt.get(id) ?? []).map((row) => ({ ...row, transactionHash }) as StatusEvent),
  );
}

/** The history of one receipt, in order. */
export async function readHistory(deps: Pick<Deps, 'sql'>, receipt: WithHistory): Promise<StatusEvent[]> {
  const [history] = await readHistories(deps, receipt.merchant, [receipt]);
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
        (receipts) => readHistories(context, receipt.merchant, receipts),
        { cacheKeyFn: ({ id }) => id },
      ),
  );
  return histories.load(receipt);
}
