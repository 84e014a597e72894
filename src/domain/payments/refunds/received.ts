import type { NotNull } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { withDisplay } from '../../../base/platform/on-chain.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { payments } from './account.ts';

const RECEIVED = query('receipts-received', (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
  payments(db, $.merchant)
    .where('t.receiptId', '=', (eb) => eb.fn.any(eb.val($.receiptIds)))
    .select(['t.receiptId', 't.chainId', 't.token', 't.amount', 't.transactionHash', 't.logIndex', 't.sender'])
    .select(['t.blockTimeMs', 't.confirmedAt', 't.usd', 't.assignedBy'])
    .orderBy('t.blockTimeMs')
    .orderBy('t.chainId')
    .orderBy('t.blockNumber')
    .orderBy('t.logIndex')
    .$narrowType<{ usd: NotNull }>(),
);

/** A transfer that counts for a receipt. */
export interface Received extends RowOf<typeof RECEIVED> {
  /** The amount in whole tokens, as decimal text; null for a token that the server no longer supports. */
  readonly display: string | null;
}

/** The payments of each receipt, oldest first; in the order of the receipts. */
export async function readReceivedOf(
  deps: Pick<Deps, 'db' | 'chain' | 'chains'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<Received[][]> {
  const rows = (await deps.db.run(RECEIVED, { merchant, receiptIds })).map((row) => withDisplay(deps, row));
  const received = Map.groupBy(rows, ({ receiptId }) => receiptId);
  return receiptIds.map((id) => received.get(id) ?? []);
}
