import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';

const SettlementShareSchema = defineEntity({
  name: 'SettlementShare',
  tableName: 'settlement_shares',
  indexes: [
    {
      name: 'settlement_shares_open',
      expression:
        'create index settlement_shares_open on settlement_shares (chain_id, split, token, payee) where settled_at is null',
    },
    {
      name: 'settlement_shares_unreckoned',
      expression:
        'create index settlement_shares_unreckoned on settlement_shares (chain_id, split, token) where settled_at is null and owed is null',
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    receiptId: p.text().primary(),
    /** A receipt may be paid in parts, in more than one token or, after a change of split, to more than one address. */
    split: p.text().$type<Wallet>().primary(),
    token: p.text().primary(),
    payee: p.text().$type<Wallet>().primary(),
    chainId: p.bigint('number'),
    sharesBps: p.integer(),
    /** Base units this receipt's payment owes the payee: the difference of successive floors. Null until the chain was asked. */
    owed: p.decimal('string').columnType('numeric(78,0)').nullable(),
    /** What the splitter must have released to the payee in all before this payment counts as passed on. Null as `owed` is. */
    releasedAtLeast: p.decimal('string').columnType('numeric(78,0)').nullable(),
    /** When the chain was seen to have released that much. */
    settledAt: p.bigint('number').nullable(),
    /** The release's transaction, where it was ours. */
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
    /** The payee's contract needs more gas than the settlement wallet spends: the payee releases the share itself. */
    selfRelease: p.boolean().default(false),
  },
});

/** One payee's part of one receipt's payment. */
export class SettlementShare extends SettlementShareSchema.class {}
SettlementShareSchema.setClass(SettlementShare);

declare module '../platform/database.ts' {
  interface Database {
    SettlementShare: TableOf<typeof SettlementShareSchema>;
  }
}
