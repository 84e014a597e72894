import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';
import type { FailureCode } from '../receipts/failures.ts';
import type { ProviderName } from './provider.ts';

/**
 * Where a card checkout stands. The first four are the provider's own words; `failed`: it refused or declined for good. The last three end a checkout
 * that the provider would have left open.
 */
export type SessionStatus =
  | 'initialized'
  | 'requires_payment'
  | 'fulfillment_processing'
  | 'fulfillment_complete'
  | 'failed'
  | 'cancelled'
  | 'abandoned'
  | 'expired';

const OnrampSessionSchema = defineEntity({
  name: 'OnrampSession',
  tableName: 'onramp_sessions',
  uniques: [{ properties: ['provider', 'providerSessionId'] }],
  indexes: [
    { properties: ['merchant', 'receiptId', 'createdAt'] },
    {
      name: 'onramp_sessions_due',
      expression:
        "create index onramp_sessions_due on onramp_sessions (expires_at) where status in ('initialized', 'requires_payment')",
    },
    {
      name: 'onramp_sessions_delivery_due',
      expression:
        'create index onramp_sessions_delivery_due on onramp_sessions (delivery_due_at) where delivery_due_at is not null',
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    receiptId: p.text(),
    provider: p.text().$type<ProviderName>(),
    /** As the provider names it. It belongs to this receipt alone. */
    providerSessionId: p.text(),
    status: p.text().$type<SessionStatus>(),
    /** Why the last attempt in it failed. */
    failureCode: p.text().$type<FailureCode>().nullable(),
    chainId: p.bigint('number'),
    /** What is to be delivered, and where: the receipt's quote. */
    token: p.text(),
    payTo: p.text().$type<Wallet>(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)'),
    /** US cents that the provider turns into tokens, its fees aside. */
    sourceAmountCents: p.bigint('number'),
    /** US cents that the card is charged; null until the provider has said it. */
    customerTotalCents: p.bigint('number').nullable(),
    /** The provider's page. */
    url: p.text(),
    /** Where that page returns the buyer to; null where it does not. */
    redirectUrl: p.text().nullable(),
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
    /** The provider's events that were taken, the latest last: one that comes again changes nothing. */
    eventIds: p.json().$type<string[]>(),
    /** When the latest of them happened, by the provider's clock; an older one is late and changes nothing. */
    eventAt: p.bigint('number').nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
    /** Until when it waits for the buyer; moved on by whatever the buyer does. */
    expiresAt: p.bigint('number'),
    /** By when what the card was charged for should have arrived; null before the charge, and once somebody has looked. */
    deliveryDueAt: p.bigint('number').nullable(),
  },
});

/** One card checkout of a receipt at a provider. */
export class OnrampSession extends OnrampSessionSchema.class {}
OnrampSessionSchema.setClass(OnrampSession);

declare module '../platform/database.ts' {
  interface Database {
    OnrampSession: TableOf<typeof OnrampSessionSchema>;
  }
}
