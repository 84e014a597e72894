import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const ReceiptIndexSchema = defineEntity({
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

/** How far the search has read. */
export class ReceiptIndex extends ReceiptIndexSchema.class {}
ReceiptIndexSchema.setClass(ReceiptIndex);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    ReceiptIndex: TableOf<typeof ReceiptIndexSchema>;
  }
}
