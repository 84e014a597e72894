import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

/** A token, or a chain, in which the operator offers no new payments. */
export const PaymentPauseSchema = defineEntity({
  name: 'PaymentPause',
  tableName: 'payment_pauses',
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    /** Symbol; empty for the whole chain. */
    token: p.text().primary(),
    reason: p.text(),
    pausedAt: p.bigint('number'),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    PaymentPause: TableOf<typeof PaymentPauseSchema>;
  }
}
