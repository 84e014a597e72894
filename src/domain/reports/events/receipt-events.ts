import { sql } from 'kysely';
import { usdFromCents } from '../../../base/core/money.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { DECLINED_NOTE } from '../../payments/refunds/request-refund.ts';
import { type FailureCode, failureOf } from '../../sales/receipts/failures.ts';
import { OVERSOLD_NOTE } from '../../sales/receipts/record-change.ts';
import type { RaisedEvent } from '../../webhooks/events/events.ts';
import type { EventKind } from '../../webhooks/events/kinds.ts';
import type { FoldRange } from './fold-range.ts';

/** What the first refund of an entry that has it says: its reason, or its note. */
const refundText = (column: 'reason' | 'note') => sql<string | null>`(
  select f.${sql.ref(column)} from refunds f
   where f.merchant = h.merchant and f.receipt_id = h.receipt_id and h.detail -> 'refundIds' ? f.id
     and f.${sql.ref(column)} is not null
   order by f.created_at, f.id limit 1)`;

/** The entries of a merchant's receipt histories in a range of transactions, with their receipts. */
const ENTRIES = query(
  'events-receipt-entries',
  (db, $: FoldRange) =>
    db
      .selectFrom('HistoryRow as h')
      .innerJoin('Receipt as r', (on) => on.onRef('r.merchant', '=', 'h.merchant').onRef('r.id', '=', 'h.receiptId'))
      .select(['h.merchant', 'h.receiptId', 'h.seq', 'h.kind', 'h.status', 'h.previousStatus', 'h.name', 'h.detail'])
      .select(['h.at', 'h.txid', 'r.origin', 'r.totalCents', 'r.currency', 'r.transactionId', 'r.metadata'])
      .select(['r.buyerWallet', 'r.transactionHash', 'r.paidToken', 'r.refundedCents'])
      .select([refundText('reason').as('reason'), refundText('note').as('note')])
      .where('h.merchant', '=', $.merchant)
      .where('h.txid', '>', $.after)
      .where('h.txid', '<=', $.through)
      .orderBy('h.txid')
      .orderBy('h.position'),
  { computed: { reason: 'text', note: 'text' } },
);

type Entry = RowOf<typeof ENTRIES>;

/** The events of a merchant's receipts in a range of transactions, in order. */
export async function receiptEvents(uow: UnitOfWork, range: FoldRange): Promise<RaisedEvent[]> {
  return (await uow.run(ENTRIES, range)).flatMap((entry) => [...eventsOf(entry)]);
}

function* eventsOf(entry: Entry): Iterable<RaisedEvent> {
  if (entry.kind === 'status') {
    const kind = entry.seq === 1 ? 'receipt.created' : (`receipt.${entry.status}` as EventKind);
    yield eventOf(entry, kind, receiptData(entry));
  }
  // The status of a receipt that had failed before does not move when it ends.
  if (entry.kind === 'note' && entry.name === 'ended')
    yield eventOf(entry, 'receipt.failed', receiptData({ ...entry, status: 'failed', previousStatus: 'failed' }));
  const refund = refundKind(entry);
  if (refund !== null) yield eventOf(entry, refund, refundData(entry));
  if (entry.kind === 'note' && entry.name === OVERSOLD_NOTE) {
    yield eventOf(entry, 'stock.short', { receiptId: entry.receiptId, items: entry.detail?.oversold ?? [] });
  }
}

const eventOf = ({ merchant, receiptId, seq, at, txid }: Entry, kind: EventKind, data: object): RaisedEvent => ({
  ...{ merchant, kind, at, txid, data },
  source: `${kind}:${receiptId}:${seq}`,
});

/** A report `refund_requested` without amounts is only a remark. */
function refundKind({ kind, name, status, detail }: Entry): EventKind | null {
  if (kind === 'status') return status === 'refunded' ? 'refund.completed' : null;
  if (detail?.refundIds === undefined) return null;
  if (name === 'refund_requested') return 'refund.requested';
  if (name === DECLINED_NOTE) return 'refund.declined';
  return name === 'refund_partial' ? 'refund.partial' : null;
}

function receiptData(entry: Entry): object {
  const { detail, status } = entry;
  return {
    receiptId: entry.receiptId,
    status,
    previousStatus: entry.previousStatus,
    seq: entry.seq,
    origin: entry.origin,
    merchantWallet: entry.merchant,
    totalUsd: usdFromCents(entry.totalCents),
    currency: entry.currency,
    transactionId: entry.transactionId,
    metadata: entry.metadata,
    buyerWallet: entry.buyerWallet,
    ...(status === 'failed'
      ? failureOf((detail?.failureCode as FailureCode | undefined) ?? null)
      : { transactionHash: entry.transactionHash, token: entry.paidToken }),
  };
}

function refundData({ receiptId, detail, reason, note, totalCents, refundedCents, transactionId }: Entry): object {
  const { usd = null, buyer = null, refundIds = [], transactionHash = null } = detail ?? {};
  return {
    ...{ receiptId, refundIds, usd, buyer, transactionHash, transactionId, reason, note },
    totalUsd: usdFromCents(totalCents),
    refundedUsd: usdFromCents(refundedCents),
  };
}
