import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database, TableOf } from '../../../base/platform/postgres/database.ts';
import type { RefundState } from './lifecycle.ts';
import type { RefundReason } from './reason.ts';

/** An item of a refund, as described by the merchant. It is descriptive; the amount of the refund counts. */
export interface RefundItem {
  readonly label: string;
  readonly priceCents: number;
  readonly qty?: number;
}

export const RefundSchema = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  indexes: [
    { name: 'refunds_by_time', properties: ['merchant', 'createdAt', 'receiptId', 'id'] },
    { name: 'refunds_by_state', properties: ['merchant', 'state', 'createdAt', 'receiptId', 'id'] },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    receiptId: p.text().primary(),
    id: p.text().primary(),
    /** `requested` until transactions have proven the whole amount. */
    state: p.text().$type<RefundState>(),
    usdCents: p.bigint('number'),
    /** The amount proven by transactions. */
    provenCents: p.bigint('number'),
    /** The wallet that receives the refund. */
    buyer: p.text().$type<Wallet>(),
    items: p.json().$type<RefundItem[]>(),
    reason: p.text().$type<RefundReason>().nullable(),
    /** For the merchant’s own people; it may name the buyer. */
    note: p.text().nullable(),
    /** The transactions that prove the refund, in the order of submission. */
    transactionHashes: p.array().$type<`0x${string}`[]>().columnType('text[]'),
    actor: p.text(),
    createdAt: p.bigint('number'),
    /** When the whole amount was proven; null before. */
    refundedAt: p.bigint('number').nullable(),
  },
});

/** A requested or completed refund to a buyer. */
export type Refund = Selectable<Database['Refund']>;

/**
 * A transfer on chain that proves a refund. It can prove only one refund per merchant and does not affect other
 * merchants.
 */
export const RefundTransferSchema = defineEntity({
  name: 'RefundTransfer',
  tableName: 'refund_transfers',
  uniques: [{ properties: ['merchant', 'chainId', 'transactionHash', 'logIndex'] }],
  indexes: [{ properties: ['merchant', 'createdAt'] }],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    receiptId: p.text().primary(),
    chainId: p.bigint('number').primary().autoincrement(false),
    transactionHash: p.text().$type<`0x${string}`>().primary(),
    /** The index of the log within the block; -1 for native coins sent by the transaction itself. */
    logIndex: p.integer().primary().autoincrement(false),
    token: p.text(),
    sender: p.text().$type<Wallet>(),
    buyer: p.text().$type<Wallet>(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)'),
    /**
     * What it proves, in US cents: its part of the refund. The parts of a receipt add up to its `refundedCents`. Null
     * if a server of the version before has stored it, during an upgrade: `refundedPart` computes it then.
     */
    usdCents: p.bigint('number').nullable(),
    createdAt: p.bigint('number'),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Refund: TableOf<typeof RefundSchema>;
    RefundTransfer: TableOf<typeof RefundTransferSchema>;
  }
}
