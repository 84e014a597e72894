import { defineEntity, type Opt, p } from '@mikro-orm/core';
import type { Generated } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

/** How far something that is derived from the receipts has followed their histories. */
export const FollowerSchema = defineEntity({
  name: 'ReceiptFollower',
  tableName: 'receipt_followers',
  properties: {
    /** What is derived from the receipts, as in `statistics`. */
    name: p.text().primary(),
    /** The format of what is derived. Another version reads all receipts again. */
    version: p.integer(),
    /** Each step increments it, so that of two concurrent steps only one succeeds. */
    step: p.bigint('number'),
    /** The epoch of the streams in which the snapshot was taken. */
    epoch: p.text(),
    /** All rows of the history that this snapshot of PostgreSQL sees have been followed. */
    snapshot: p.text(),
    /** The last receipt of the reading of all receipts, in key order; both are null when it is done. */
    rebuildMerchant: p.text().$type<Wallet>().nullable(),
    rebuildId: p.text().nullable(),
  },
});

/** A change around a receipt that its history does not show. The search reads it and deletes it. */
export const ReceiptTouchSchema = defineEntity({
  name: 'ReceiptTouch',
  tableName: 'receipt_touches',
  properties: {
    position: p.bigint('string').$type<Opt<string>>().columnType('bigint').generated('identity').primary(),
    merchant: p.text().$type<Wallet>(),
    receiptId: p.text(),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    ReceiptFollower: TableOf<typeof FollowerSchema>;
    /** PostgreSQL generates the position. */
    ReceiptTouch: Omit<TableOf<typeof ReceiptTouchSchema>, 'position'> & { position: Generated<string> };
  }
}
