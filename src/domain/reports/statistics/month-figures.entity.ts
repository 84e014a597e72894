import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const MonthFiguresSchema = defineEntity({
  name: 'MonthFigures',
  tableName: 'receipt_months',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** Months since 1970-01, UTC. */
    month: p.integer().primary().autoincrement(false),
    /** JSON of a `MonthGroup[]`. Text, because it is only ever read as a whole. */
    groups: p.text(),
  },
});

/**
 * The rows of `receipt_days` of a month in one row, so that a year is read as twelve rows. The statistics' worker
 * writes it with the days.
 */
export class MonthFigures extends MonthFiguresSchema.class {}
MonthFiguresSchema.setClass(MonthFigures);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    MonthFigures: TableOf<typeof MonthFiguresSchema>;
  }
}
