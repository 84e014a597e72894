import { type Kysely, type Selectable, sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { Db } from '../../../base/platform/db.ts';
import { follow, type Source } from '../../../base/platform/live-feed.ts';
import {
  cursorOfRow,
  followTransactions,
  type PagePosition,
  type PageQuery,
  pageAfter,
} from '../../../base/platform/ordered-feed.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { ACCEPTED_NOTE, type AcceptedDifference } from './accepted-note.ts';
import { merchantChannel, receiptChannel } from './record-change.ts';

/** The columns of an event that are columns of the history. `name` is null on rows of kind `status`. */
export const EVENT_COLUMNS = ['receiptId', 'seq', 'kind', 'status', 'previousStatus', 'name', 'actor', 'at'] as const;

/** What was accepted, on the note about it; null on other rows. */
export const acceptedOf = (alias: string) =>
  sql<AcceptedDifference | null>`case when ${sql.ref(`${alias}.name`)} = ${sql.lit(ACCEPTED_NOTE)}
    then ${sql.ref(`${alias}.detail`)} end`;

/** One row of history, as subscribers receive it. */
export interface StatusEvent
  extends Readonly<Pick<Selectable<Database['HistoryRow']>, (typeof EVENT_COLUMNS)[number]>> {
  readonly accepted: AcceptedDifference | null;
  readonly transactionHash: string | null;
  /** The position in the merchant's stream; a subscriber resumes after it. */
  readonly cursor: string;
}

/** Rows are read in pages, to bound the memory of a subscriber that is far behind. */
const PAGE = 100;

interface OfReceipt {
  readonly merchant: Wallet;
  readonly receiptId: string;
}

/** Events with the hash of their receipt's payment. */
const selectEvents = (db: Kysely<Database>) =>
  db
    .selectFrom('HistoryRow as h')
    .select(EVENT_COLUMNS)
    .select((eb) => [
      eb
        .selectFrom('Receipt as r')
        .select('r.transactionHash')
        .whereRef('r.merchant', '=', 'h.merchant')
        .whereRef('r.id', '=', 'h.receiptId')
        .as('transactionHash'),
      acceptedOf('h').as('accepted'),
      cursorOfRow('h').as('cursor'),
    ]);
const COMPUTED = { transactionHash: 'text', accepted: 'jsonb', cursor: 'text' } as const;

const CURRENT = query(
  'receipt-stream-current',
  (db, $: OfReceipt) =>
    selectEvents(db)
      .where('h.merchant', '=', $.merchant)
      .where('h.receiptId', '=', $.receiptId)
      .orderBy('h.seq', 'desc')
      .limit(1),
  { computed: COMPUTED },
);
const AFTER_SEQ = query(
  'receipt-stream-after',
  (db, $: OfReceipt & { seq: number }) =>
    selectEvents(db)
      .where('h.merchant', '=', $.merchant)
      .where('h.receiptId', '=', $.receiptId)
      .where('h.seq', '>', $.seq)
      .orderBy('h.seq')
      .limit(PAGE),
  { computed: COMPUTED },
);
const CLAMP_SEQ = query(
  'receipt-stream-clamp',
  (db, $: OfReceipt & { seq: number }) =>
    db
      .selectFrom('HistoryRow')
      .select(sql<number>`least(${$.seq}::int4, coalesce(max(seq), 0))`.as('seq'))
      .where('merchant', '=', $.merchant)
      .where('receiptId', '=', $.receiptId),
  { computed: { seq: 'int4' } },
);
const AFTER_CURSOR: PageQuery<StatusEvent> = query(
  'merchant-stream-after',
  (db, $: PagePosition) => pageAfter(selectEvents(db), 'h', $),
  { computed: { ...COMPUTED, settled: 'bool' } },
);

/**
 * Follows one receipt. Delivers every event after `afterSeq` (without it, the current state), then each new event, in
 * order, once. An `afterSeq` beyond the last event counts as the last event. The bus only signals; events are read from
 * the history.
 */
export function followReceipt(
  db: Db,
  bus: Bus,
  { merchant, receiptId, afterSeq }: { merchant: Wallet; receiptId: string; afterSeq: number | null },
): Source<StatusEvent> {
  return follow(
    {
      bus: bus,
      channel: receiptChannel(merchant, receiptId),
      async read(seq) {
        const events = await db.run(AFTER_SEQ, { merchant, receiptId, seq });
        return { events, more: events.length === PAGE };
      },
      positionOf: ({ seq }) => seq,
      cursorOf: ({ seq }) => String(seq),
      isAfter: (seq, other) => seq > other,
      async clamp(seq) {
        const [row] = await db.run(CLAMP_SEQ, { merchant, receiptId, seq });
        return row!.seq;
      },
    },
    afterSeq ?? 0,
    afterSeq === null
      ? async () => ({ events: await db.run(CURRENT, { merchant, receiptId }), more: false })
      : undefined,
  );
}

/** Follows all receipts of a merchant, after a cursor or from now. */
export function followMerchant(
  db: Db,
  bus: Bus,
  { merchant, after }: { merchant: Wallet; after: string | null },
): Promise<Source<StatusEvent>> {
  const stream = { channel: merchantChannel(merchant), merchant, after: AFTER_CURSOR };
  return followTransactions<StatusEvent>(db, bus, stream, after);
}
