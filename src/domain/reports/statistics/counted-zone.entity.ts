import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

/** The time zone in whose days a merchant's receipts are counted. A merchant without a row is counted in UTC. */
export const CountedZoneSchema = defineEntity({
  name: 'CountedZone',
  tableName: 'counted_zones',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** IANA name. */
    zone: p.text(),
    /** When its offsets from UTC begin, epoch ms, and the offsets in ms. */
    starts: p.array().$type<number[]>().columnType('bigint[]'),
    offsets: p.array().$type<number[]>().columnType('bigint[]'),
    /** The last receipt that is counted in this zone, in order of ids; null when all are. */
    afterId: p.text().nullable(),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    CountedZone: TableOf<typeof CountedZoneSchema>;
  }
}
