import { defineEntity, type Opt, p } from '@mikro-orm/core';
import type { Generated, Selectable } from 'kysely';
import type { SpendPermission } from '../../../base/chain/spend-permissions.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database, TableOf } from '../../../base/platform/postgres/database.ts';
import type { Period } from '../plans/period.ts';
import { COLLECTIBLE, type SubscriptionStatus } from './lifecycle.ts';

/** The scan for due subscriptions reads this index only. */
const IS_COLLECTIBLE = `status in (${COLLECTIBLE.map((status) => `'${status}'`).join(', ')})`;

export const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'subscriptions',
  indexes: [
    { properties: ['merchant', 'createdAt'] },
    { properties: ['customer', 'createdAt'] },
    {
      name: 'subscriptions_due',
      expression: `create index subscriptions_due on subscriptions (next_charge_at, id) where ${IS_COLLECTIBLE}`,
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary().unique(),
    planId: p.text(),
    customer: p.text().$type<Wallet>(),
    /** The plan's price when the customer subscribed; later changes of the plan do not affect it. */
    priceCents: p.bigint('number'),
    period: p.text().$type<Period>(),
    chainId: p.bigint('number'),
    token: p.text().$type<Wallet>(),
    permission: p.json().$type<SpendPermission>(),
    /** The permission's hash in the spend permission manager (`getHash`). Unique: one subscription per permission. */
    permissionHash: p.text().$type<`0x${string}`>().unique(),
    /** The customer's signature, encrypted: it goes on chain with the first charge. */
    sealedSignature: p.text(),
    status: p.text().$type<SubscriptionStatus>().default('active'),
    /**
     * Epoch ms. Null if no further charge follows. After the last period it is the permission's end, so that the
     * subscription is scanned once more and expires.
     */
    nextChargeAt: p.bigint('number').nullable(),
    lastChargedAt: p.bigint('number').nullable(),
    chargeCount: p.integer().default(0),
    totalChargedCents: p.bigint('number').default(0),
    /** Failed attempts since the last successful charge. */
    attempts: p.integer().default(0),
    /** Why the last attempt failed; a code of the failure catalogue. */
    lastFailure: p.text().nullable(),
    /** When the first of these attempts failed, epoch ms. */
    pastDueSince: p.bigint('number').nullable(),
    /** Epoch ms. */
    cancelledAt: p.bigint('number').nullable(),
    /** When the revocation of the permission was seen on the chain, epoch ms. */
    revokedAt: p.bigint('number').nullable(),
    /** Where the subscriber wants to hear of it, and in which language; null: nowhere. */
    email: p.text().nullable(),
    language: p.text().nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** A customer's recurring payment for a plan. */
export type Subscription = Selectable<Database['Subscription']>;

/** The kinds of subscription events. */
const SUBSCRIPTION_EVENTS = [
  'created',
  'charged',
  'charge_failed',
  'charge_undone',
  'cancelled',
  'revoked',
  'expired',
] as const;
export type SubscriptionEventKind = (typeof SUBSCRIPTION_EVENTS)[number];

/** One row of a subscription's history. */
export const SubscriptionEventSchema = defineEntity({
  name: 'SubscriptionEvent',
  tableName: 'subscription_events',
  indexes: [
    {
      name: 'subscription_events_stream',
      expression: 'create index subscription_events_stream on subscription_events (merchant, txid, position)',
    },
    { name: 'subscription_events_history', properties: ['subscriptionId', 'position'] },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /**
     * Readers order a merchant's stream by (txid, position) and stop at the oldest open transaction, so that they miss
     * no event.
     */
    position: p.bigint('string').$type<Opt<string>>().columnType('bigint').generated('identity').primary(),
    txid: p.bigint('string').columnType('xid8').defaultRaw('pg_current_xact_id()'),
    subscriptionId: p.text(),
    kind: p.text().$type<SubscriptionEventKind>(),
    /** The subscription's status after the event. */
    status: p.text().$type<SubscriptionStatus>(),
    chargeId: p.text().nullable(),
    receiptId: p.text().nullable(),
    amountCents: p.bigint('number').nullable(),
    feeCents: p.bigint('number').nullable(),
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
    /** A code of the failure catalogue. */
    failure: p.text().nullable(),
    /** Epoch ms. */
    at: p.bigint('number'),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Subscription: TableOf<typeof SubscriptionSchema>;
    SubscriptionEvent: Omit<TableOf<typeof SubscriptionEventSchema>, 'position'> & { position: Generated<string> };
  }
}
