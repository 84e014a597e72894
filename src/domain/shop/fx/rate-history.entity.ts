import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const PastRateSchema = defineEntity({
  name: 'PastRate',
  tableName: 'rate_history',
  properties: {
    /** Upper case, as in `ETH`. */
    currency: p.text().primary(),
    /**
     * The start of its validity, in epoch ms: the time of its source, or for a static rate the time at which it was
     * first seen.
     */
    quotedAt: p.bigint('number').primary().autoincrement(false),
    provider: p.text().primary(),
    /** US dollars per unit, as decimal text. */
    usdPerUnit: p.text(),
  },
});

/** The value of a currency at a time. */
export class PastRate extends PastRateSchema.class {}
PastRateSchema.setClass(PastRate);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    PastRate: TableOf<typeof PastRateSchema>;
  }
}
