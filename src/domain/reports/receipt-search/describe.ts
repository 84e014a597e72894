import { sql } from 'kysely';
import { fold } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { heldCents } from '../../payments/refunds/account.ts';
import { paidAtOf } from '../../sales/receipts/paid-at.ts';
import type { ReceiptKey } from '../../sales/receipts/read.ts';
import { OVERSOLD_NOTE } from '../../sales/receipts/record-change.ts';
import { facetOf } from './facets.ts';
import type { SearchColumns } from './search-row.entity.ts';
import { amountTerm, termsOf } from './terms.ts';

/**
 * The receipts with what their search rows are made from, and the terms that their current rows have. Reads only, so
 * that the transaction which writes the rows is short: an open transaction delays the live streams.
 */
const SOURCES = query(
  'receipt-search-sources',
  (db, $: { merchants: readonly Wallet[]; ids: readonly string[] }) =>
    db
      .selectFrom(
        sql<{ merchant: Wallet; id: string }>`unnest(${$.merchants}::text[], ${$.ids}::text[])`.as<'wanted'>(
          sql`wanted(merchant, id)`,
        ),
      )
      .innerJoin('Receipt as r', (join) =>
        join.onRef('r.merchant', '=', 'wanted.merchant').onRef('r.id', '=', 'wanted.id'),
      )
      .leftJoin('ReceiptSearchRow as old', (join) =>
        join.onRef('old.merchant', '=', 'r.merchant').onRef('old.id', '=', 'r.id'),
      )
      .select(['r.merchant', 'r.id', 'r.seq', 'r.createdAt', 'r.status', 'r.origin', 'r.currency', 'r.totalCents'])
      .select([
        'r.closedAt',
        'r.transactionTimestamp',
        'r.transactionHash',
        'r.transactionId',
        'r.buyerWallet',
        'r.paidToken',
      ])
      .select(['r.lineItems', 'old.terms as oldTerms'])
      .select(sql<boolean>`r.status = 'failed' and r.closed_at is not null and ${heldCents} > 0`.as('holdsMoney'))
      .select(sql<string | null>`r.billing_address->>'email'`.as('email'))
      .select(
        sql<string | null>`concat_ws(' ', r.billing_address->>'firstName', r.billing_address->>'lastName')`.as('name'),
      )
      .select(
        sql<string | null>`case when jsonb_typeof(r.metadata->'note') = 'string' then r.metadata->>'note' end`.as(
          'note',
        ),
      )
      .select(sql<number | null>`(r.pricing->>'originalTotalCents')::int8`.as('originalCents'))
      .select(
        sql<string | null>`case when r.origin = 'charge' then r.metadata->>'subscriptionId' end`.as('subscriptionId'),
      )
      .select(({ selectFrom, exists }) => [
        selectFrom('Subscription as s')
          .select('s.planId')
          .whereRef('s.merchant', '=', 'r.merchant')
          .where('s.id', '=', sql<string>`case when r.origin = 'charge' then r.metadata->>'subscriptionId' end`)
          .as('planId'),
        sql<string[]>`array(${selectFrom('Transfer as t')
          .select('t.transactionHash')
          .whereRef('t.merchant', '=', 'r.merchant')
          .whereRef('t.receiptId', '=', 'r.id')
          .where('t.canonical', '=', true)
          .unionAll(
            selectFrom('SubmittedTransaction as h')
              .select('h.transactionHash')
              .whereRef('h.merchant', '=', 'r.merchant')
              .whereRef('h.receiptId', '=', 'r.id'),
          )
          .unionAll(
            selectFrom('Refund as f')
              .select(sql<`0x${string}`>`unnest(f.transaction_hashes)`.as('transactionHash'))
              .whereRef('f.merchant', '=', 'r.merchant')
              .whereRef('f.receiptId', '=', 'r.id'),
          )})`.as('hashes'),
        exists(
          selectFrom('HistoryRow as o')
            .select('o.seq')
            .whereRef('o.merchant', '=', 'r.merchant')
            .whereRef('o.receiptId', '=', 'r.id')
            .where('o.kind', '=', 'note')
            .where('o.name', '=', OVERSOLD_NOTE),
        )
          .$castTo<boolean>()
          .as('oversold'),
        exists(
          selectFrom('Refund as q')
            .select('q.id')
            .whereRef('q.merchant', '=', 'r.merchant')
            .whereRef('q.receiptId', '=', 'r.id')
            .where('q.state', '=', 'requested'),
        )
          .$castTo<boolean>()
          .as('refundOpen'),
        selectFrom('HistoryRow as m')
          .select(({ fn }) => fn.max<number | null>('m.at').as('at'))
          .whereRef('m.merchant', '=', 'r.merchant')
          .whereRef('m.receiptId', '=', 'r.id')
          .where('m.kind', '=', 'status')
          .where('m.status', '=', 'tx_mined')
          .as('minedAt'),
      ]),
  {
    computed: {
      email: 'text',
      name: 'text',
      note: 'text',
      originalCents: 'int8',
      subscriptionId: 'text',
      planId: 'text',
      hashes: 'text[]',
      oversold: 'bool',
      refundOpen: 'bool',
      holdsMoney: 'bool',
      minedAt: 'int8',
    },
  },
);

type Source = RowOf<typeof SOURCES>;

/** A receipt's search row, and the terms of the row that it replaces; null without one. */
export interface Described {
  readonly row: SearchColumns;
  readonly oldTerms: readonly string[] | null;
}

/** Reads receipts and describes each as its search row. Unknown keys are left out. */
export async function describeReceipts(statements: Db, keys: readonly ReceiptKey[]): Promise<Described[]> {
  if (keys.length === 0) return [];
  const sources = await statements.run(SOURCES, {
    merchants: keys.map(({ merchant }) => merchant),
    ids: keys.map(({ receiptId }) => receiptId),
  });
  return sources.map((source) => ({ row: rowOf(source), oldTerms: source.oldTerms }));
}

function rowOf(source: Source): SearchColumns {
  const { transactionHash, transactionId, buyerWallet, email, subscriptionId, planId, status } = source;
  const hashes = unique([...(transactionHash ? [transactionHash] : []), ...source.hashes]).map(fold);
  const skus = unique(source.lineItems.flatMap(({ sku }) => (sku === undefined ? [] : [sku])));
  const { name, note, originalCents } = source;
  const own = originalCents === null ? null : amountTerm(originalCents);
  const texts = [transactionId, email, name, note, own];
  const values = [source.id, buyerWallet, subscriptionId, planId, ...texts, ...hashes, ...skus];
  return {
    merchant: source.merchant,
    id: source.id,
    seq: source.seq,
    createdAt: source.createdAt,
    facet: facetOf(source),
    totalCents: source.totalCents,
    paidAt: paidAtOf(source),
    minedSince: status === 'tx_mined' ? source.minedAt : null,
    attention:
      status === 'tx_mismatch' || source.holdsMoney || source.refundOpen || (source.oversold && status !== 'refunded'),
    reference: transactionId,
    buyerEmail: email && fold(email),
    buyerWallet,
    subscriptionId,
    planId,
    hashes,
    skus,
    terms: termsOf(values.filter((value): value is string => Boolean(value))),
  };
}

const unique = (values: readonly string[]): string[] => [...new Set(values)].sort();
