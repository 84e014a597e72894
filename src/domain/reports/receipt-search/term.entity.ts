import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const ReceiptTermSchema = defineEntity({
  name: 'ReceiptTerm',
  tableName: 'receipt_terms',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** A whole term or the beginning of one; see `entriesOf`. Ordered by code point, so that prefixes are ranges. */
    entry: p.text().collation('C').primary(),
    createdAt: p.bigint('number').primary().autoincrement(false),
    receiptId: p.text().primary(),
  },
});

/** A term of a receipt. All receipts with one entry are in the order of their creation. */
export class ReceiptTerm extends ReceiptTermSchema.class {}
ReceiptTermSchema.setClass(ReceiptTerm);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    ReceiptTerm: TableOf<typeof ReceiptTermSchema>;
  }
}
