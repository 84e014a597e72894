import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../../../base/core/wallet.ts';
import type { Database, TableOf } from '../../../../base/platform/postgres/database.ts';
import type { NotChosen } from '../../../shop/merchants/chosen-tokens.ts';

/** Why a transfer does not pay a receipt. */
export type UnmatchedReason = 'unknown_amount' | 'duplicate' | 'too_old' | 'late' | 'no_rate' | 'error' | NotChosen;

/** Why a transfer was unmatched before it was assigned, and the receipts that it was known to be meant for. */
export interface AssignedFrom {
  readonly reason: UnmatchedReason;
  readonly meantFor: readonly string[] | null;
  /** Whether this assignment, or one before it, has opened a voided receipt. */
  readonly voided?: boolean;
}

export const TransferSchema = defineEntity({
  name: 'Transfer',
  tableName: 'transfers',
  indexes: [
    {
      name: 'transfers_canonical',
      expression:
        'create unique index transfers_canonical on transfers (chain_id, transaction_hash, log_index) where canonical',
    },
    {
      name: 'transfers_of_receipt',
      expression: 'create index transfers_of_receipt on transfers (merchant, receipt_id) where receipt_id is not null',
    },
    {
      name: 'transfers_of_merchant_by_time',
      expression:
        'create index transfers_of_merchant_by_time on transfers (merchant, block_time_ms desc, chain_id desc, block_number desc, log_index desc) where canonical and receipt_id is not null',
    },
    {
      name: 'transfers_unmatched',
      expression:
        'create index transfers_unmatched on transfers (merchant, block_time_ms desc, chain_id desc, block_number desc, log_index desc) where receipt_id is null and canonical and unmatched_reason is not null',
    },
    {
      name: 'transfers_to_split',
      expression:
        'create index transfers_to_split on transfers (chain_id, pay_to, token, block_number, log_index) where canonical',
    },
    {
      name: 'transfers_by_block',
      expression: 'create index transfers_by_block on transfers (chain_id, block_number) where canonical',
    },
    {
      name: 'transfers_unconfirmed',
      expression:
        'create index transfers_unconfirmed on transfers (chain_id, block_number, log_index) where canonical and confirmed_at is null',
    },
    {
      name: 'transfers_errors',
      expression: "create index transfers_errors on transfers (chain_id, seen_at) where unmatched_reason = 'error'",
    },
    {
      name: 'transfers_without_rate',
      expression:
        "create index transfers_without_rate on transfers (chain_id, seen_at) where unmatched_reason = 'no_rate'",
    },
    {
      name: 'transfers_of_address',
      expression: 'create index transfers_of_address on transfers (merchant, address_of) where address_of is not null',
    },
    {
      name: 'transfers_to_collect',
      expression:
        'create index transfers_to_collect on transfers (chain_id, split, token, block_number, log_index) where canonical and not collected',
    },
    {
      name: 'transfers_lost',
      expression:
        'create index transfers_lost on transfers (chain_id, transaction_hash) where not canonical and receipt_id is not null',
    },
  ],
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    blockHash: p.text().$type<`0x${string}`>().primary(),
    transactionHash: p.text().$type<`0x${string}`>().primary(),
    /** The index of the log within the block; a reorganisation may change it. */
    logIndex: p.integer().primary().autoincrement(false),
    blockNumber: p.bigint('number'),
    blockTimeMs: p.bigint('number'),
    token: p.text(),
    sender: p.text().$type<Wallet>(),
    payTo: p.text().$type<Wallet>(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)'),
    /** False once its block is no longer part of the chain. */
    canonical: p.boolean().default(true),
    /** When it was confirmed at full depth; null before. */
    confirmedAt: p.bigint('number').nullable(),
    /**
     * The receipt whose address received it (an arrival) or has sent it to its split (a collection). Null for other
     * transfers to a split.
     */
    addressOf: p.text().nullable(),
    /** Where the address that received it collects to; null if it was sent to the split itself. */
    split: p.text().$type<Wallet>().nullable(),
    /**
     * Whether the address that received it has sent it to the split: there is a later collection. Null if it was sent
     * to the split itself.
     */
    collected: p.boolean().nullable(),
    /** The merchant whose address or split received it. */
    merchant: p.text().$type<Wallet>(),
    /** The receipt that it pays; at most one. */
    receiptId: p.text().nullable(),
    /** Of version 0.1, like `askedUsd` and `exact`: the quote whose unique amount it had. */
    quoteId: p.text().nullable(),
    /** The US dollars that it counts for on its receipt, as decimal text. */
    usd: p.text().nullable(),
    askedUsd: p.text().nullable(),
    exact: p.boolean().default(false),
    /** Why it pays no receipt; null if it pays one. */
    unmatchedReason: p.text().$type<UnmatchedReason>().nullable(),
    /** The receipts that it is known to be meant for; null if it pays one, or none is known. */
    meantFor: p.array().$type<string[]>().columnType('text[]').nullable(),
    /** The admin who assigned it; null if it was matched automatically. */
    assignedBy: p.text().nullable(),
    /** Why it was unmatched before that; null if it was matched automatically. */
    assignedFrom: p.json().$type<AssignedFrom>().nullable(),
    /** When an admin marked it for refund; null if unmarked. */
    refundMarkedAt: p.bigint('number').nullable(),
    /** The wallet of that admin. */
    refundMarkedBy: p.text().$type<Wallet>().nullable(),
    seenAt: p.bigint('number'),
  },
});

/**
 * A transfer to a receipt's address or to a split: one log of one block. An arrival at an address pays the receipt; the
 * collection that brings it to the split pays nothing, and its place and amount decide the recipients' shares.
 */
export type Transfer = Selectable<Database['Transfer']>;

declare module '../../../../base/platform/postgres/database.ts' {
  interface Database {
    Transfer: TableOf<typeof TransferSchema>;
  }
}
