import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const BillingEventSchema = defineEntity({
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
    transactionHash: p.text().$type<`0x${string}`>(),
    /** The block's time, epoch ms. */
    at: p.bigint('number'),
  },
});

/** The platform's fee for a charge: 0.5 % of it, paid as the platform's share of the split. */
export class BillingEvent extends BillingEventSchema.class {}
BillingEventSchema.setClass(BillingEvent);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    BillingEvent: TableOf<typeof BillingEventSchema>;
  }
}
