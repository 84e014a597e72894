import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../platform/database.ts';

const PastRateSchema = defineEntity({
  name: 'PastRate',
  tableName: 'rate_history',
  properties: {
    /** Upper case, as in `ETH`. */
    currency: p.text().primary(),
    /** Since when it held, epoch ms: as its source says; of a rate set by hand, when it was first seen. */
    quotedAt: p.bigint('number').primary().autoincrement(false),
    provider: p.text().primary(),
    /** US dollars per unit, as decimal text. */
    usdPerUnit: p.text(),
  },
});

/** What a currency was worth at some time. */
export class PastRate extends PastRateSchema.class {}
PastRateSchema.setClass(PastRate);

declare module '../platform/database.ts' {
  interface Database {
    PastRate: TableOf<typeof PastRateSchema>;
  }
}
