import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';

const SpenderNonceSchema = defineEntity({
  name: 'SpenderNonce',
  tableName: 'spender_nonces',
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    sender: p.text().$type<Wallet>().primary(),
    /** The next nonce to give; whoever gives it holds this row's lock until its transaction is stored. */
    next: p.bigint('number'),
    /** The last block whose revocations were read. */
    revocationsBlock: p.bigint('number').nullable(),
  },
});

/** The nonces of the wallet that charges. */
export class SpenderNonce extends SpenderNonceSchema.class {}
SpenderNonceSchema.setClass(SpenderNonce);

/** What a transaction is for. */
export type Purpose = 'charge' | 'revoke' | 'deploy';
/** `open`: in no block that we know of. `mined`: in one that may still go. `final`: in one with its confirmations, or passed by for good. */
export type TransactionState = 'open' | 'mined' | 'final';
/** `voided`: its nonce was used up by something else, so that it can never happen. */
export type TransactionOutcome = 'success' | 'reverted' | 'voided';

const SpenderTransactionSchema = defineEntity({
  name: 'SpenderTransaction',
  tableName: 'spender_transactions',
  indexes: [
    {
      name: 'spender_transactions_unfinished',
      expression: `create index spender_transactions_unfinished on spender_transactions (chain_id, sender, nonce) where state <> 'final'`,
    },
  ],
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    sender: p.text().$type<Wallet>().primary(),
    nonce: p.bigint('number').primary().autoincrement(false),
    purpose: p.text().$type<Purpose>(),
    merchant: p.text().$type<Wallet>(),
    /** The charge, the subscription whose permission is revoked, or the contract. */
    subjectId: p.text(),
    /** Unix seconds: from then on it could only revert, and its nonce is filled by something cheaper. Null: it never goes stale. */
    staleAt: p.bigint('number').nullable(),
    state: p.text().$type<TransactionState>().default('open'),
    outcome: p.text().$type<TransactionOutcome>().nullable(),
    minedHash: p.text().$type<`0x${string}`>().nullable(),
    minedBlock: p.bigint('number').nullable(),
    /** The head when it was last given to the node; null: it never was. */
    sentBlock: p.bigint('number').nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** One nonce, and what it is used for. */
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
    /** `call` does what the nonce is for, `void` only fills it. */
    kind: p.text().$type<'call' | 'void'>(),
    /** The signed transaction, encrypted: it carries the customer's signature. */
    sealedRaw: p.text(),
    /** In wei. */
    maxFeePerGas: p.decimal('string').columnType('numeric(78,0)').$type<string>(),
    maxPriorityFeePerGas: p.decimal('string').columnType('numeric(78,0)').$type<string>(),
    createdAt: p.bigint('number'),
  },
});

/** One signed form of a nonce's transaction: the first, or a replacement. None is ever forgotten, as any of them may be mined. */
export class SpenderBroadcast extends SpenderBroadcastSchema.class {}
SpenderBroadcastSchema.setClass(SpenderBroadcast);

declare module '../platform/database.ts' {
  interface Database {
    SpenderNonce: TableOf<typeof SpenderNonceSchema>;
    SpenderTransaction: TableOf<typeof SpenderTransactionSchema>;
    SpenderBroadcast: TableOf<typeof SpenderBroadcastSchema>;
  }
}
