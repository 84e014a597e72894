import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { follow, type Source } from '../platform/live-feed.ts';
import { CURSOR_PREFIX, followTransactions } from '../platform/ordered-feed.ts';
import { statement } from '../platform/sql.ts';
import type { ReceiptStatus } from './lifecycle.ts';
import { merchantChannel, receiptChannel } from './record-change.ts';

/** One row of history, as subscribers receive it. */
export interface StatusEvent {
  readonly receiptId: string;
  readonly seq: number;
  readonly kind: 'status' | 'tracking' | 'note';
  readonly status: ReceiptStatus;
  readonly previousStatus: ReceiptStatus | null;
  /** The report or note; null on rows of kind `status`. */
  readonly name: string | null;
  readonly at: number;
  readonly transactionHash: string | null;
  /** The position in the merchant's stream; a subscriber resumes after it. */
  readonly cursor: string;
}

type StreamDeps = Pick<Deps, 'sql' | 'bus'>;

/** Rows are read in pages, to bound the memory of a subscriber that is far behind. */
const PAGE = 100;

const COLUMNS = `h.receipt_id as "receiptId", h.seq, h.kind, h.status, h.previous_status as "previousStatus", h.name, h.at,
  (select transaction_hash from receipts r where r.merchant = h.merchant and r.id = h.receipt_id) as "transactionHash",
  ${CURSOR_PREFIX} || h.txid || '.' || h.position as cursor`;

const CURRENT = statement(
  'receipt-stream-current',
  `select ${COLUMNS} from receipt_history h where h.merchant = $1 and h.receipt_id = $2 order by h.seq desc limit 1`,
);
const AFTER_SEQ = statement(
  'receipt-stream-after',
  `select ${COLUMNS} from receipt_history h where h.merchant = $1 and h.receipt_id = $2 and h.seq > $3 order by h.seq limit ${PAGE}`,
);
const CLAMP_SEQ = statement(
  'receipt-stream-clamp',
  `select least($3::int, coalesce(max(seq), 0)) as seq from receipt_history where merchant = $1 and receipt_id = $2`,
);
/** A row is settled if its transaction is older than every open one: no row can appear before it later. */
const AFTER_CURSOR = statement(
  'merchant-stream-after',
  `select ${COLUMNS}, h.txid < pg_snapshot_xmin(pg_current_snapshot()) as settled
     from receipt_history h where h.merchant = $1 and (h.txid, h.position) > ($2::xid8, $3::bigint)
    order by h.txid, h.position limit ${PAGE}`,
);
/**
 * Follows one receipt. Delivers every event after `afterSeq` (without it, the current state), then each new event, in
 * order, once. An `afterSeq` beyond the last event counts as the last event. The bus only signals; events are read from
 * the history.
 */
export function followReceipt(
  { sql, bus }: StreamDeps,
  { merchant, receiptId, afterSeq }: { merchant: Wallet; receiptId: string; afterSeq: number | null },
): Source<StatusEvent> {
  return follow(
    {
      bus,
      channel: receiptChannel(merchant, receiptId),
      async read(seq) {
        const events = await sql.rows<StatusEvent>(AFTER_SEQ, [merchant, receiptId, seq]);
        return { events, more: events.length === PAGE };
      },
      positionOf: ({ seq }) => seq,
      cursorOf: ({ seq }) => String(seq),
      isAfter: (seq, other) => seq > other,
      async clamp(seq) {
        const [row] = await sql.rows<{ seq: number }>(CLAMP_SEQ, [merchant, receiptId, seq]);
        return row!.seq;
      },
    },
    afterSeq ?? 0,
    afterSeq === null
      ? async () => ({ events: await sql.rows<StatusEvent>(CURRENT, [merchant, receiptId]), more: false })
      : undefined,
  );
}

/** Follows all receipts of a merchant, after a cursor or from now. */
export function followMerchant(
  deps: StreamDeps,
  { merchant, after }: { merchant: Wallet; after: string | null },
): Promise<Source<StatusEvent>> {
  const stream = { channel: merchantChannel(merchant), merchant, after: AFTER_CURSOR, pageSize: PAGE };
  return followTransactions<StatusEvent>(deps, stream, after);
}
