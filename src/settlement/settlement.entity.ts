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
    /** A receipt may be paid in parts: on several chains, in several tokens, and to several addresses. */
    split: p.text().$type<Wallet>().primary(),
    token: p.text().primary(),
    payee: p.text().$type<Wallet>().primary(),
    chainId: p.bigint('number').primary().autoincrement(false),
    sharesBps: p.integer(),
    /**
     * Base units owed to the payee for this receipt's payment: the difference of successive floors. Null until read
     * from the chain.
     */
    owed: p.decimal('string').columnType('numeric(78,0)').nullable(),
    /**
     * The total that the splitter must have released to the payee before this share counts as settled. Null while
     * `owed` is null.
     */
    releasedAtLeast: p.decimal('string').columnType('numeric(78,0)').nullable(),
    /** When `owed` became known, epoch ms: the share waits for its release from then on. Null in old records. */
    dueSince: p.bigint('number').nullable(),
    /** When the chain showed that the share was released. */
    settledAt: p.bigint('number').nullable(),
    /** The transaction of the release, if the server sent it: stored with it, and null again if it fails. */
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
    /**
     * The payee's contract needs more gas than the settlement wallet spends, so the payee must release the share
     * itself.
     */
    selfRelease: p.boolean().default(false),
  },
});

/** One payee's share of one receipt's payment. */
export class SettlementShare extends SettlementShareSchema.class {}
SettlementShareSchema.setClass(SettlementShare);

declare module '../platform/database.ts' {
  interface Database {
    SettlementShare: TableOf<typeof SettlementShareSchema>;
  }
}
