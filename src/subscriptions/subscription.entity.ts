import { defineEntity, p } from '@mikro-orm/core';
import type { SpendPermission } from '../chain/spend-permissions.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Period } from '../plans/period.ts';
import type { TableOf } from '../platform/database.ts';

/**
 * `active`: charged when due. `past_due`: the last charge failed, and is tried again. `cancelled`: by the customer, here or on the chain. `expired`: its
 * permission has ended, or every try failed.
 */
export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'cancelled', 'expired'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'subscriptions',
  indexes: [
    { properties: ['merchant', 'createdAt'] },
    { properties: ['customer', 'createdAt'] },
    {
      name: 'subscriptions_due',
      expression: `create index subscriptions_due on subscriptions (next_charge_at, id) where status in ('active', 'past_due')`,
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary().unique(),
    planId: p.text(),
    customer: p.text().$type<Wallet>(),
    /** The plan's price when it was subscribed to; later changes of the plan do not touch it. */
    priceCents: p.bigint('number'),
    period: p.text().$type<Period>(),
    chainId: p.bigint('number'),
    token: p.text().$type<Wallet>(),
    permission: p.json().$type<SpendPermission>(),
    /** What the spend permission manager calls the permission (`getHash`): one permission, one subscription. */
    permissionHash: p.text().$type<`0x${string}`>().unique(),
    /** The customer's signature, encrypted: it goes on chain with the first charge. */
    sealedSignature: p.text(),
    status: p.text().$type<SubscriptionStatus>().default('active'),
    /** Epoch ms. Null once nothing will be charged any more. */
    nextChargeAt: p.bigint('number').nullable(),
    lastChargedAt: p.bigint('number').nullable(),
    chargeCount: p.integer().default(0),
    totalChargedCents: p.bigint('number').default(0),
    /** Failed tries since the last charge that went well. */
    attempts: p.integer().default(0),
    /** Why the last try failed; a code of the failure catalogue. */
    lastFailure: p.text().nullable(),
    /** When the first of these tries failed, epoch ms. */
    pastDueSince: p.bigint('number').nullable(),
    /** When it was cancelled, and whether the permission is seen revoked on the chain. Epoch ms. */
    cancelledAt: p.bigint('number').nullable(),
    revokedAt: p.bigint('number').nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** What a customer has agreed to pay again and again. */
export class Subscription extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(Subscription);

declare module '../platform/database.ts' {
  interface Database {
    Subscription: TableOf<typeof SubscriptionSchema>;
  }
}
