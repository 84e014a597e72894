import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';

/** `sent`: its transaction is on its way. `succeeded` and `failed`: a block has told. */
export type ChargeStatus = 'sent' | 'succeeded' | 'failed';

const ChargeSchema = defineEntity({
  name: 'Charge',
  tableName: 'charges',
  indexes: [{ properties: ['merchant', 'createdAt'] }],
  uniques: [{ properties: ['subscriptionId', 'periodStart'] }],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary().unique(),
    subscriptionId: p.text(),
    /** Unix seconds: the permission's period on the chain. One period, one charge. */
    periodStart: p.bigint('number'),
    periodEnd: p.bigint('number'),
    status: p.text().$type<ChargeStatus>(),
    /** How often a transaction was made for it. */
    attempt: p.integer().default(1),
    split: p.text().$type<Wallet>(),
    /** The token's symbol. */
    token: p.text(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)').$type<string>(),
    amountCents: p.bigint('number'),
    /** The platform's part, which it gets through the split. */
    feeCents: p.bigint('number'),
    receiptId: p.text(),
    /** Of the latest transaction made for it. */
    nonce: p.bigint('number'),
    /** The transaction that is in a block, or else the latest that was made. */
    transactionHash: p.text().$type<`0x${string}`>(),
    /** Epoch ms, of the block that has told; null while none has. */
    blockTimeMs: p.bigint('number').nullable(),
    /** Why it failed; a code of the failure catalogue. */
    failure: p.text().nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** One period of a subscription, charged or tried to. */
export class Charge extends ChargeSchema.class {}
ChargeSchema.setClass(Charge);

declare module '../platform/database.ts' {
  interface Database {
    Charge: TableOf<typeof ChargeSchema>;
  }
}
