import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../core/wallet.ts';
import type { TableOf } from '../../platform/postgres/database.ts';
import type { TransactionState } from './lifecycle.ts';

const SpenderNonceSchema = defineEntity({
  name: 'SpenderNonce',
  tableName: 'spender_nonces',
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    sender: p.text().$type<Wallet>().primary(),
    /** The next free nonce. A process that uses it holds this row's lock until its transaction is stored. */
    next: p.bigint('number'),
    /** The last block whose permission revocations were read. */
    revocationsBlock: p.bigint('number').nullable(),
  },
});

/** The nonce counter of a signing wallet. */
export class SpenderNonce extends SpenderNonceSchema.class {}
SpenderNonceSchema.setClass(SpenderNonce);

/**
 * What a transaction is for. The spender: `charge`, `revoke` and `deploy` (its contract). Settlement: `deploy_factory`
 * (of receipts' addresses), `deploy_split`, `collect` (from addresses of receipts), `release` and `authorization` (a
 * transfer that a buyer has signed).
 */
export type Purpose =
  | 'charge'
  | 'revoke'
  | 'deploy'
  | 'deploy_factory'
  | 'deploy_split'
  | 'collect'
  | 'release'
  | 'authorization';
/** `voided`: another transaction used the nonce, so the call can never execute. */
export type TransactionOutcome = 'success' | 'reverted' | 'voided';

const SpenderTransactionSchema = defineEntity({
  name: 'SpenderTransaction',
  tableName: 'spender_transactions',
  indexes: [
    {
      name: 'spender_transactions_unfinished',
      expression: `create index spender_transactions_unfinished on spender_transactions (chain_id, sender, nonce) where state <> 'final'`,
    },
    {
      name: 'spender_transactions_by_purpose',
      expression:
        'create index spender_transactions_by_purpose on spender_transactions (chain_id, sender, purpose, created_at)',
    },
  ],
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    sender: p.text().$type<Wallet>().primary(),
    nonce: p.bigint('number').primary().autoincrement(false),
    purpose: p.text().$type<Purpose>(),
    /** Empty for the spender's own contract and for releases. */
    merchant: p.text().$type<Wallet | ''>(),
    /**
     * The charge, the subscription whose permission is revoked, the contract to deploy, `split/token` of a collection,
     * `split/token/payee` of a release, or `token/payer/nonce` of an authorization.
     */
    subjectId: p.text(),
    /**
     * Unix seconds from which the call can only revert; a cheaper `void` transaction then uses the nonce. Null: never.
     */
    staleAt: p.bigint('number').nullable(),
    state: p.text().$type<TransactionState>().default('open'),
    outcome: p.text().$type<TransactionOutcome>().nullable(),
    minedHash: p.text().$type<`0x${string}`>().nullable(),
    minedBlock: p.bigint('number').nullable(),
    /** The chain head when the transaction was last sent to the node; null: not sent yet. */
    sentBlock: p.bigint('number').nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** One nonce and the purpose of its transaction. */
export class SpenderTransaction extends SpenderTransactionSchema.class {}
SpenderTransactionSchema.setClass(SpenderTransaction);

const SpenderBroadcastSchema = defineEntity({
  name: 'SpenderBroadcast',
  tableName: 'spender_broadcasts',
  indexes: [{ properties: ['chainId', 'sender', 'nonce'] }],
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    hash: p.text().$type<`0x${string}`>().primary(),
    sender: p.text().$type<Wallet>(),
    nonce: p.bigint('number'),
    /** `call` executes the purpose of the nonce; `void` only uses the nonce up. */
    kind: p.text().$type<'call' | 'void'>(),
    /** The signed transaction, encrypted because it contains the customer's signature. */
    sealedRaw: p.text(),
    /** In wei. */
    maxFeePerGas: p.decimal('string').columnType('numeric(78,0)').$type<string>(),
    maxPriorityFeePerGas: p.decimal('string').columnType('numeric(78,0)').$type<string>(),
    createdAt: p.bigint('number'),
  },
});

/**
 * One signed form of a nonce's transaction: the original or a replacement. Never deleted, because any of them may be
 * mined.
 */
export class SpenderBroadcast extends SpenderBroadcastSchema.class {}
SpenderBroadcastSchema.setClass(SpenderBroadcast);

declare module '../../platform/postgres/database.ts' {
  interface Database {
    SpenderNonce: TableOf<typeof SpenderNonceSchema>;
    SpenderTransaction: TableOf<typeof SpenderTransactionSchema>;
    SpenderBroadcast: TableOf<typeof SpenderBroadcastSchema>;
  }
}
