import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';
import type { SessionStatus } from './lifecycle.ts';
import type { ProviderName } from './provider.ts';

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
    /** The provider's id of the session. It belongs to one receipt only. */
    providerSessionId: p.text(),
    status: p.text().$type<SessionStatus>(),
    /** The reason why the last attempt in the session failed. */
    failureCode: p.text().$type<FailureCode>().nullable(),
    chainId: p.bigint('number'),
    /** The token and address of the delivery, from the receipt's quote. */
    token: p.text(),
    payTo: p.text().$type<Wallet>(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)'),
    /** US cents that the provider converts to tokens, without its fees. */
    sourceAmountCents: p.bigint('number'),
    /** US cents charged to the card; null until the provider reports it. */
    customerTotalCents: p.bigint('number').nullable(),
    /** The address of the provider's page. */
    url: p.text(),
    /** Where that page returns the buyer to; null if it does not. */
    redirectUrl: p.text().nullable(),
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
    /** The ids of processed provider events, latest last. A repeated event changes nothing. */
    eventIds: p.json().$type<string[]>(),
    /** When the latest event happened, by the provider's clock. An older event is late and changes nothing. */
    eventAt: p.bigint('number').nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
    /** The time until which the session waits for the buyer; every step of the buyer extends it. */
    expiresAt: p.bigint('number'),
    /** When the delivery for a charged card is due; null before the charge, and after the check. */
    deliveryDueAt: p.bigint('number').nullable(),
  },
});

/** A card checkout of a receipt at a provider. */
export class OnrampSession extends OnrampSessionSchema.class {}
OnrampSessionSchema.setClass(OnrampSession);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    OnrampSession: TableOf<typeof OnrampSessionSchema>;
  }
}
