import { sql } from 'kysely';
import { realHash, realSender } from '../../../base/core/coin-place.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { withDisplay } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { columnOf, type TimedRowSet, type TimeRange } from './column.ts';
import { boundsAfter, inOrder, isWithin, type Place, type PlaceBounds } from './place.ts';

interface Read extends Place {
  readonly receiptId: string;
  readonly transactionId: string | null;
  readonly status: ReceiptStatus;
  readonly confirmedAt: number | null;
  readonly token: string;
  readonly amount: string;
  readonly usd: string;
  readonly sender: Wallet;
  readonly payTo: Wallet;
}

interface Row extends Read {
  /** In whole tokens; null for a token that the server no longer supports. */
  readonly display: string | null;
}

const nextPayments = (direction: TimeRange['direction']) =>
  query(
    `export-payments-${direction}`,
    (_db, $: { merchant: Wallet; limit: number } & PlaceBounds) => sql<Read>`
      select t.receipt_id as "receiptId", r.transaction_id as "transactionId", r.status, t.block_time_ms as at,
             t.confirmed_at as "confirmedAt", t.chain_id as "chainId", t.token, t.amount::text as amount,
             t.usd, t.transaction_hash as "transactionHash", t.log_index as "logIndex",
             t.sender, t.pay_to as "payTo"
        from transfers t
        join receipts r on r.merchant = t.merchant and r.id = t.receipt_id
       where t.merchant = ${$.merchant} and t.canonical and t.receipt_id is not null
         and ${isWithin('t.block_time_ms', direction, $)}
       order by ${inOrder('t.block_time_ms', direction)} limit ${$.limit}`,
    {
      replica: true,
      computed: {
        ...{ receiptId: 'text', transactionId: 'text', status: 'text', at: 'int8', confirmedAt: 'int8' },
        ...{ chainId: 'int8', token: 'text', amount: 'text', usd: 'text', transactionHash: 'text' },
        ...{ logIndex: 'int4', sender: 'text', payTo: 'text' },
      },
    },
  );
const NEXT_PAYMENTS = { asc: nextPayments('asc'), desc: nextPayments('desc') } as const;

const column = columnOf<Row>();

/** One row per transfer that counts for a receipt. */
export const paymentRows: TimedRowSet<Row> = {
  size: 500,
  columns: [
    column('receiptId', 'text', 'The id of the receipt that it counts for.', ({ receiptId }) => receiptId),
    column('transactionId', 'text', 'The merchant’s own reference.', (row) => row.transactionId),
    column('receivedAt', 'time', 'The time of its block.', ({ at }) => at),
    column('confirmedAt', 'time', 'When it had its confirmations; empty before.', (row) => row.confirmedAt),
    column('status', 'word', 'The state of the receipt’s money, as `Receipt.status`.', ({ status }) => status),
    column('chainId', 'count', 'The chain (EIP-155).', ({ chainId }) => chainId),
    column('token', 'word', 'The token of `amount`.', ({ token }) => token),
    column('amount', 'decimal', 'The amount, in whole tokens.', ({ display }) => display),
    column(
      'countedUsd',
      'decimal',
      'What it counts for. Those of a receipt add up to its `receivedUsd`, in whole cents.',
      ({ usd }) => usd,
    ),
    column('transactionHash', 'word', 'Its transaction; empty for coins from within a contract’s transaction.', (row) =>
      realHash(row.transactionHash),
    ),
    column(
      'logIndex',
      'count',
      'Its place in the block. A transaction may have several payments.',
      (row) => row.logIndex,
    ),
    column('sender', 'word', 'The wallet that sent it; empty for such coins.', ({ sender }) => realSender(sender)),
    column('payTo', 'word', 'The address that received it.', ({ payTo }) => payTo),
  ],
  receiptOf: ({ receiptId }) => receiptId,
  async next(deps, range, last) {
    const { merchant, direction, size } = range;
    const parameters = { merchant, limit: size, ...boundsAfter(range, last) };
    const rows = await deps.db.run(NEXT_PAYMENTS[direction], parameters);
    return rows.map((row) => withDisplay(deps, row));
  },
};
