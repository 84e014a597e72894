import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';

const SubmittedTransactionSchema = defineEntity({
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
    /** How often it was looked up since it was submitted, or since somebody stood for it. */
    looks: p.integer().default(0),
    /** When it is looked up next, epoch ms; 0 goes before all others. */
    nextLookAt: p.bigint('number').default(0),
    /** When the chain had said what became of it, or nobody waited any longer. */
    closedAt: p.bigint('number').nullable(),
    /** A card provider that vouches for it (`onramp:stripe`): whatever amount it brings is this receipt's. Null: a hint like any other. */
    vouchedBy: p.text().nullable(),
    /** What the provider says that it delivers, in base units; null where it does not say. */
    vouchedAmount: p.decimal('string').columnType('numeric(78,0)').nullable(),
    /** Wallets that have signed that it pays this receipt: what one of them sent with it is this receipt's, whatever the amount. */
    signedBy: p.array().$type<Wallet[]>().columnType('text[]').nullable(),
  },
});

/** A hint from a buyer's side: this transaction may have to do with this receipt. It is where to look, never a claim. */
export class SubmittedTransaction extends SubmittedTransactionSchema.class {}
SubmittedTransactionSchema.setClass(SubmittedTransaction);

declare module '../platform/database.ts' {
  interface Database {
    SubmittedTransaction: TableOf<typeof SubmittedTransactionSchema>;
  }
}
