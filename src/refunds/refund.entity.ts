import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';

/** What was given back, in the merchant's words. It explains the refund; the refund's own amount is what counts. */
export interface RefundItem {
  readonly label: string;
  readonly priceCents: number;
  readonly qty?: number;
}

const RefundSchema = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    receiptId: p.text().primary(),
    id: p.text().primary(),
    /** `requested` until transactions have proven all of it. */
    state: p.text().$type<'requested' | 'refunded'>(),
    usdCents: p.bigint('number'),
    /** How much of it transactions have proven. */
    provenCents: p.bigint('number'),
    /** Who is to get it, or has got it. */
    buyer: p.text().$type<Wallet>(),
    items: p.json().$type<RefundItem[]>(),
    /** The transactions that prove it, in the order in which they were shown. */
    transactionHashes: p.array().$type<`0x${string}`[]>().columnType('text[]'),
    actor: p.text(),
    createdAt: p.bigint('number'),
    /** When the last of it was proven; null before. */
    refundedAt: p.bigint('number').nullable(),
  },
});

/** Money that a buyer gets back, or is to get back. */
export class Refund extends RefundSchema.class {}
RefundSchema.setClass(Refund);

const RefundTransferSchema = defineEntity({
  name: 'RefundTransfer',
  tableName: 'refund_transfers',
  uniques: [{ properties: ['merchant', 'chainId', 'transactionHash', 'logIndex'] }],
  indexes: [{ properties: ['merchant', 'createdAt'] }],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    receiptId: p.text().primary(),
    chainId: p.bigint('number').primary().autoincrement(false),
    transactionHash: p.text().$type<`0x${string}`>().primary(),
    /** Counted within the block; -1 is the coin that the transaction itself carries. */
    logIndex: p.integer().primary().autoincrement(false),
    token: p.text(),
    sender: p.text().$type<Wallet>(),
    buyer: p.text().$type<Wallet>(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)'),
    createdAt: p.bigint('number'),
  },
});

/** A transfer on the chain that proves a refund of a merchant: it does so once. Another merchant's refund is not affected. */
export class RefundTransfer extends RefundTransferSchema.class {}
RefundTransferSchema.setClass(RefundTransfer);

declare module '../platform/database.ts' {
  interface Database {
    Refund: TableOf<typeof RefundSchema>;
    RefundTransfer: TableOf<typeof RefundTransferSchema>;
  }
}
