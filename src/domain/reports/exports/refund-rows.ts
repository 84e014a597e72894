import { sql } from 'kysely';
import type { Currency } from '../../../base/core/amount.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { withDisplay } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { RefundReason } from '../../payments/refunds/reason.ts';
import { refundedPart } from '../../payments/refunds/revenue.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { paidAt } from '../../sales/receipts/paid-at.ts';
import { columnOf, type TimedRowSet, type TimeRange } from './column.ts';
import { boundsAfter, inOrder, isWithin, type Place, type PlaceBounds } from './place.ts';

interface Read extends Place {
  readonly receiptId: string;
  readonly transactionId: string | null;
  readonly status: ReceiptStatus;
  readonly paidAt: number | null;
  readonly usdCents: number | null;
  readonly currency: Currency;
  readonly ownCents: number | null;
  readonly token: string;
  readonly amount: string;
  readonly sender: Wallet;
  readonly buyer: Wallet;
  readonly reason: RefundReason | null;
  readonly note: string | null;
}

interface Row extends Read {
  /** In whole tokens; null for a token that the server no longer supports. */
  readonly display: string | null;
}

/**
 * The same part of the receipt's own total as in US dollars. It is rounded with all refunds before it, so that the
 * amounts of a full refund add up to that total.
 */
const ownCents = sql<number | null>`(
  select case when r.currency = 'USD' then ${refundedPart('t')} else
           round(upto.cents * own.total / nullif(r.total_cents, 0))
             - round((upto.cents - ${refundedPart('t')}) * own.total / nullif(r.total_cents, 0)) end::int8
    from (select (r.pricing ->> 'originalTotalCents')::numeric as total) own,
         (select sum(${refundedPart('b')}) as cents from refund_transfers b
           where b.merchant = t.merchant and b.receipt_id = t.receipt_id
             and (b.created_at, b.chain_id, b.transaction_hash, b.log_index)
                 <= (t.created_at, t.chain_id, t.transaction_hash, t.log_index)) upto)`;

/** What the first refund that the transfer proves says of it. */
const refundText = (column: 'reason' | 'note') => sql`(
  select f.${sql.ref(column)} from refunds f
   where f.merchant = t.merchant and f.receipt_id = t.receipt_id and t.transaction_hash = any(f.transaction_hashes)
     and f.${sql.ref(column)} is not null
   order by f.created_at, f.id limit 1)`;

const nextRefunds = (direction: TimeRange['direction']) =>
  query(
    `export-refunds-${direction}`,
    (_db, $: { merchant: Wallet; limit: number } & PlaceBounds) => sql<Read>`
      select t.receipt_id as "receiptId", r.transaction_id as "transactionId", r.status, t.created_at as at,
             ${paidAt} as "paidAt", ${refundedPart('t')} as "usdCents", r.currency, ${ownCents} as "ownCents",
             t.chain_id as "chainId", t.token, t.amount::text as amount,
             t.transaction_hash as "transactionHash", t.log_index as "logIndex", t.sender, t.buyer,
             ${refundText('reason')} as reason, ${refundText('note')} as note
        from refund_transfers t join receipts r on r.merchant = t.merchant and r.id = t.receipt_id
       where t.merchant = ${$.merchant} and ${isWithin('t.created_at', direction, $)}
       order by ${inOrder('t.created_at', direction)} limit ${$.limit}`,
    {
      replica: true,
      computed: {
        ...{ receiptId: 'text', transactionId: 'text', status: 'text', at: 'int8', paidAt: 'int8' },
        ...{ usdCents: 'int8', currency: 'text', ownCents: 'int8', chainId: 'int8', token: 'text', amount: 'text' },
        ...{ transactionHash: 'text', logIndex: 'int4', sender: 'text', buyer: 'text' },
        ...{ reason: 'text', note: 'text' },
      },
    },
  );
const NEXT_REFUNDS = { asc: nextRefunds('asc'), desc: nextRefunds('desc') } as const;

const column = columnOf<Row>();

/** One row per transfer that proves a refund. */
export const refundRows: TimedRowSet<Row> = {
  size: 500,
  columns: [
    column('receiptId', 'text', 'The id of the receipt.', ({ receiptId }) => receiptId),
    column('transactionId', 'text', 'The merchant’s own reference.', (row) => row.transactionId),
    column('refundedAt', 'time', 'When the refund was proven.', ({ at }) => at),
    column('paidAt', 'time', 'When the receipt was paid; empty if it never was.', (row) => row.paidAt),
    column('status', 'word', 'The state of the receipt’s money, as `Receipt.status`.', ({ status }) => status),
    column('amountUsd', 'amount', 'What was refunded, in US dollars.', ({ usdCents }) => usdCents),
    column('currency', 'word', 'The currency of the receipt.', ({ currency }) => currency),
    column('amount', 'amount', 'The same part of the total in `currency`.', (row) => row.ownCents),
    column('chainId', 'count', 'The chain of the transfer (EIP-155).', ({ chainId }) => chainId),
    column('token', 'word', 'The token that was sent back.', ({ token }) => token),
    column('tokenAmount', 'decimal', 'The amount that was sent back, in whole tokens.', ({ display }) => display),
    column('transactionHash', 'word', 'The transaction of the transfer.', (row) => row.transactionHash),
    column('buyer', 'word', 'The wallet that received it.', ({ buyer }) => buyer),
    column('sender', 'word', 'The wallet that sent it.', ({ sender }) => sender),
    column('reason', 'word', 'Why it was made; empty if that was not said.', ({ reason }) => reason),
    column('note', 'text', 'The merchant’s note.', ({ note }) => note),
  ],
  receiptOf: ({ receiptId }) => receiptId,
  async next(deps, range, last) {
    const { merchant, direction, size } = range;
    const parameters = { merchant, limit: size, ...boundsAfter(range, last) };
    const rows = await deps.db.run(NEXT_REFUNDS[direction], parameters);
    return rows.map((row) => withDisplay(deps, row));
  },
};
