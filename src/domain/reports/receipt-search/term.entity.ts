import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import { PARTS_INDEX, PARTS_INDEX_DEFINITION } from './parts.ts';

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

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    ReceiptTerm: TableOf<typeof ReceiptTermSchema>;
  }
}
