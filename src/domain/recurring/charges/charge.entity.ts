import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database, TableOf } from '../../../base/platform/postgres/database.ts';
import type { ChargeStatus } from './lifecycle.ts';

export const ChargeSchema = defineEntity({
  name: 'Charge',
  tableName: 'charges',
  indexes: [
    { properties: ['merchant', 'createdAt'] },
    {
      name: 'charges_of_receipt',
      expression: 'create index charges_of_receipt on charges (merchant, receipt_id)',
    },
  ],
  uniques: [{ properties: ['subscriptionId', 'periodStart'] }],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary().unique(),
    subscriptionId: p.text(),
    /** Unix seconds: the permission's period on the chain. One charge per period. */
    periodStart: p.bigint('number'),
    periodEnd: p.bigint('number'),
    status: p.text().$type<ChargeStatus>(),
    /** Number of transactions created for the charge. */
    attempt: p.integer().default(1),
    split: p.text().$type<Wallet>(),
    /** The token's symbol. */
    token: p.text(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)').$type<string>(),
    amountCents: p.bigint('number'),
    /** The platform's fee, paid through the split. */
    feeCents: p.bigint('number'),
    receiptId: p.text(),
    /** Nonce of the charge's latest transaction. */
    nonce: p.bigint('number'),
    /**
     * The transaction that is in a block, or that has settled it; otherwise the latest one. Null if coins from within a
     * contract's transaction have settled it.
     */
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
    /** Time of the block that decided the outcome, epoch ms; null while there is none. */
    blockTimeMs: p.bigint('number').nullable(),
    /**
     * Whether another payment of its receipt has settled it. The outcomes of its own transactions then change it no
     * more.
     */
    settledByPayment: p.boolean().default(false),
    /** Why it failed; a code of the failure catalogue. */
    failure: p.text().nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** The charge of one period of a subscription, successful or not. */
export type Charge = Selectable<Database['Charge']>;

export const BillingEventSchema = defineEntity({
  name: 'BillingEvent',
  tableName: 'billing_events',
  indexes: [{ properties: ['merchant', 'at'] }],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** One event per charge. */
    chargeId: p.text().primary(),
    subscriptionId: p.text(),
    amountCents: p.bigint('number'),
    feeCents: p.bigint('number'),
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
    /** The block's time, epoch ms. */
    at: p.bigint('number'),
  },
});

/** The platform's fee for a charge: 0.5 % of it, paid as the platform's share of the split. */
export type BillingEvent = Selectable<Database['BillingEvent']>;

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Charge: TableOf<typeof ChargeSchema>;
    BillingEvent: TableOf<typeof BillingEventSchema>;
  }
}
