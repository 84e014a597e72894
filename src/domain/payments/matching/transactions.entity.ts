import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

/** A hint from the buyer's side that a transaction may pay this receipt. It only tells the watcher where to look. */
export const SubmittedTransactionSchema = defineEntity({
  name: 'SubmittedTransaction',
  tableName: 'submitted_transactions',
  indexes: [
    {
      name: 'submitted_transactions_due',
      expression:
        'create index submitted_transactions_due on submitted_transactions (chain_id, next_look_at) where closed_at is null',
    },
    {
      name: 'submitted_transactions_by_hash',
      expression: 'create index submitted_transactions_by_hash on submitted_transactions (chain_id, transaction_hash)',
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    receiptId: p.text().primary(),
    transactionHash: p.text().$type<`0x${string}`>().primary(),
    chainId: p.bigint('number'),
    submittedAt: p.bigint('number'),
    /** The number of checks since the hint was submitted or received backing. */
    looks: p.integer().default(0),
    /** The time of the next check, epoch ms; 0 is checked first. */
    nextLookAt: p.bigint('number').default(0),
    /** When the transaction's outcome was known or the checks ended. */
    closedAt: p.bigint('number').nullable(),
    /** The card provider that has delivered with the transaction (`onramp:stripe`); null for other hints. */
    vouchedBy: p.text().nullable(),
    /** Of version 0.1. */
    vouchedAmount: p.decimal('string').columnType('numeric(78,0)').nullable(),
    /** Wallets that signed that the transaction pays this receipt: a transfer from one of them to the split counts. */
    signedBy: p.array().$type<Wallet[]>().columnType('text[]').nullable(),
  },
});

/** A transaction of the server, recorded before it is sent: its transfer pays this receipt and no other. */
export const BoundTransactionSchema = defineEntity({
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

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    SubmittedTransaction: TableOf<typeof SubmittedTransactionSchema>;
    BoundTransaction: TableOf<typeof BoundTransactionSchema>;
  }
}
