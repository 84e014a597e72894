import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';

const SettlementShareSchema = defineEntity({
  name: 'SettlementShare',
  tableName: 'settlement_shares',
  indexes: [
    {
      name: 'settlement_shares_open',
      expression:
        'create index settlement_shares_open on settlement_shares (chain_id, split, token, payee) where settled_at is null',
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    receiptId: p.text().primary(),
    payee: p.text().$type<Wallet>().primary(),
    chainId: p.bigint('number'),
    split: p.text().$type<Wallet>(),
    token: p.text(),
    sharesBps: p.integer(),
    /** Base units this receipt's payment owes the payee: the difference of successive floors. */
    owed: p.decimal('string').columnType('numeric(78,0)'),
    /** What the splitter must have released to the payee in all before this payment counts as passed on. */
    releasedAtLeast: p.decimal('string').columnType('numeric(78,0)'),
    /** When the chain was seen to have released that much. */
    settledAt: p.bigint('number').nullable(),
    /** The release's transaction, where it was ours. */
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
  },
});

/** One payee's part of one receipt's payment. */
export class SettlementShare extends SettlementShareSchema.class {}
SettlementShareSchema.setClass(SettlementShare);
