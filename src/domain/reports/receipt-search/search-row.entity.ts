import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import { PARTS_INDEX, PARTS_INDEX_DEFINITION } from './parts.ts';

/** A receipt as searches see it. Only the indexer writes it. */
export const SearchRowSchema = defineEntity({
  name: 'ReceiptSearchRow',
  tableName: 'receipt_search',
  indexes: [
    {
      name: 'receipt_search_facets',
      expression: 'create index receipt_search_facets on receipt_search (merchant, facet, created_at, id)',
    },
    {
      name: 'receipt_search_totals',
      expression: 'create index receipt_search_totals on receipt_search (merchant, total_cents, id)',
    },
    {
      name: 'receipt_search_paid',
      expression:
        'create index receipt_search_paid on receipt_search (merchant, paid_at, id) where paid_at is not null',
    },
    {
      name: 'receipt_search_attention',
      expression:
        'create index receipt_search_attention on receipt_search (merchant, created_at, id) where attention or mined_since is not null',
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    /** The `seq` of the receipt that the row describes. */
    seq: p.integer(),
    createdAt: p.bigint('number'),
    /** Status, origin and currency in one text; see `facetOf`. */
    facet: p.text(),
    totalCents: p.bigint('number'),
    paidAt: p.bigint('number').nullable(),
    /** Since when the payment waits for its confirmations; null unless it does. */
    minedSince: p.bigint('number').nullable(),
    /** The amount does not match, it ended with money, items were sold beyond the stock, or a refund is open. */
    attention: p.boolean(),
    /** The merchant's own reference. */
    reference: p.text().nullable(),
    /** In lower case. */
    buyerEmail: p.text().nullable(),
    buyerWallet: p.text().$type<Wallet>().nullable(),
    subscriptionId: p.text().nullable(),
    planId: p.text().nullable(),
    /** The transactions that pay or refund the receipt, and those that the buyer's side has submitted. */
    hashes: p.array().$type<string[]>().columnType('text[]'),
    skus: p.array().$type<string[]>().columnType('text[]'),
    /** What the search box compares with; see `termsOf`. */
    terms: p.array().$type<string[]>().columnType('text[]'),
  },
});

/** A row by property names. */
export type SearchColumns = Selectable<TableOf<typeof SearchRowSchema>>;

/** The names of all columns. */
export const SEARCH_COLUMNS = Object.keys(SearchRowSchema.properties) as readonly (keyof SearchColumns)[];

/** A term of a receipt. All receipts with one entry are in the order of their creation. */
export const ReceiptTermSchema = defineEntity({
  name: 'ReceiptTerm',
  tableName: 'receipt_terms',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** A whole term or the beginning of one; see `entriesOf`. Ordered by code point, so that prefixes are ranges. */
    entry: p.text().collation('C').primary(),
    createdAt: p.bigint('number').primary().autoincrement(false),
    receiptId: p.text().primary(),
  },
  indexes: [
    {
      name: PARTS_INDEX,
      expression: `create index ${PARTS_INDEX} ${PARTS_INDEX_DEFINITION}`,
    },
  ],
});

/** How far the search has read. */
export const ReceiptIndexSchema = defineEntity({
  name: 'ReceiptIndex',
  tableName: 'receipt_index',
  properties: {
    /** The only row is `receipts`. */
    name: p.text().primary(),
    /** The format of the rows and terms (`INDEX_VERSION`). */
    version: p.integer(),
    /** Each write of the indexer increments it, so that of two concurrent writers only one succeeds. */
    step: p.bigint('number'),
    /** The epoch of the streams in which the snapshot was taken. */
    epoch: p.text(),
    /** All rows of the history that this snapshot of PostgreSQL sees are indexed. */
    snapshot: p.text(),
    /** The last receipt of the rebuild in key order; both are null when there is none to do. */
    rebuildMerchant: p.text().nullable(),
    rebuildId: p.text().nullable(),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    ReceiptSearchRow: TableOf<typeof SearchRowSchema>;
    ReceiptTerm: TableOf<typeof ReceiptTermSchema>;
    ReceiptIndex: TableOf<typeof ReceiptIndexSchema>;
  }
}
