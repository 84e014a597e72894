import { defineEntity, type Opt, p } from '@mikro-orm/core';
import type { Generated } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

/** One payee's share of one receipt's payment. */
export const SettlementShareSchema = defineEntity({
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
    {
      name: 'settlement_shares_list',
      expression:
        'create index settlement_shares_list on settlement_shares (merchant, created_at, receipt_id, split, token, payee, chain_id)',
    },
    {
      name: 'settlement_shares_waiting',
      expression:
        'create index settlement_shares_waiting on settlement_shares (merchant, created_at, receipt_id, split, token, payee, chain_id) where settled_at is null',
    },
    {
      name: 'settlement_shares_payee',
      expression:
        'create index settlement_shares_payee on settlement_shares (merchant, payee, created_at, receipt_id, split, token, chain_id)',
    },
    {
      name: 'settlement_shares_stream',
      expression: 'create index settlement_shares_stream on settlement_shares (merchant, txid, position)',
    },
    {
      name: 'settlement_shares_requested',
      expression:
        'create index settlement_shares_requested on settlement_shares (merchant, release_requested_at) where release_requested_at is not null',
    },
    {
      name: 'settlement_shares_requests',
      expression:
        'create index settlement_shares_requests on settlement_shares (release_requested_at) where release_requested_at is not null',
    },
    {
      name: 'settlement_shares_asked',
      expression:
        'create index settlement_shares_asked on settlement_shares (chain_id, split, token) where release_requested_at is not null and settled_at is null',
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
    /** When the receipt was paid, epoch ms. */
    createdAt: p.bigint('number').default(0),
    /** When the merchant asked for the release before it was due, epoch ms. */
    releaseRequestedAt: p.bigint('number').nullable(),
    /** A merchant's changed shares are ordered by (txid, position). The position of a share never changes. */
    position: p.bigint('string').$type<Opt<string>>().columnType('bigint').generated('identity'),
    /** The transaction of the last change. */
    txid: p.bigint('string').columnType('xid8').defaultRaw('pg_current_xact_id()'),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    SettlementShare: Omit<TableOf<typeof SettlementShareSchema>, 'position'> & { position: Generated<string> };
  }
}
