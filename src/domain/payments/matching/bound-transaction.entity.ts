import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const BoundTransactionSchema = defineEntity({
  name: 'BoundTransaction',
  tableName: 'bound_transactions',
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    transactionHash: p.text().$type<`0x${string}`>().primary(),
    merchant: p.text().$type<Wallet>(),
    receiptId: p.text(),
    /** The token symbol and the base units of the bound transfer. */
    token: p.text(),
    amount: p.decimal('string').columnType('numeric(78,0)').$type<string>(),
    createdAt: p.bigint('number'),
  },
});

/** A transaction of the server, recorded before it is sent: its transfer pays this receipt and no other. */
export class BoundTransaction extends BoundTransactionSchema.class {}
BoundTransactionSchema.setClass(BoundTransaction);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    BoundTransaction: TableOf<typeof BoundTransactionSchema>;
  }
}
