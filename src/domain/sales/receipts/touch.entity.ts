import { defineEntity, type Opt, p } from '@mikro-orm/core';
import type { Generated } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const ReceiptTouchSchema = defineEntity({
  name: 'ReceiptTouch',
  tableName: 'receipt_touches',
  properties: {
    position: p.bigint('string').$type<Opt<string>>().columnType('bigint').generated('identity').primary(),
    merchant: p.text().$type<Wallet>(),
    receiptId: p.text(),
  },
});

/** A change around a receipt that its history does not show. The search reads it and deletes it. */
export class ReceiptTouch extends ReceiptTouchSchema.class {}
ReceiptTouchSchema.setClass(ReceiptTouch);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    /** PostgreSQL generates the position. */
    ReceiptTouch: Omit<TableOf<typeof ReceiptTouchSchema>, 'position'> & { position: Generated<string> };
  }
}
