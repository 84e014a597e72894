import { defineEntity, type Opt, p } from '@mikro-orm/core';
import type { Generated } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { SubscriptionStatus } from './lifecycle.ts';

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

const SubscriptionEventSchema = defineEntity({
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

/** One row of a subscription's history. */
export class SubscriptionEvent extends SubscriptionEventSchema.class {}
SubscriptionEventSchema.setClass(SubscriptionEvent);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    SubscriptionEvent: Omit<TableOf<typeof SubscriptionEventSchema>, 'position'> & { position: Generated<string> };
  }
}
