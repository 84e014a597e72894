import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';

/** The sums of a merchant's receipts by day, current status and token. Only the statistics' worker writes them. */
export const DayFiguresSchema = defineEntity({
  name: 'DayFigures',
  tableName: 'receipt_days',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** Days since 1970-01-01, UTC. */
    day: p.integer().primary().autoincrement(false),
    status: p.text().$type<ReceiptStatus>().primary(),
    /** The token of the payment; empty without one. */
    token: p.text().primary(),
    /** The receipts that were created on the day. */
    createdCount: p.bigint('number'),
    createdCents: p.bigint('number'),
    /** The receipts that were paid on the day. */
    paidCount: p.bigint('number'),
    paidCents: p.bigint('number'),
    feeCents: p.bigint('number'),
    refundedCents: p.bigint('number'),
    /** The receipts in euros among the created ones: their totals in euro cents, and those in `createdCents`. */
    euroCreatedCents: p.bigint('number').default(0),
    euroCreatedUsdCents: p.bigint('number').default(0),
    /** The same of the paid ones. */
    euroPaidCents: p.bigint('number').default(0),
    euroPaidUsdCents: p.bigint('number').default(0),
    /** The taxes in `paidCents`. */
    taxCents: p.bigint('number').default(0),
    /** What was received for the paid receipts, what of it is beyond their totals, and what of that went back. */
    receivedCents: p.bigint('number').default(0),
    surplusCents: p.bigint('number').default(0),
    returnedSurplusCents: p.bigint('number').default(0),
    /** What was sent back on the day, of any receipt. */
    sentBackCents: p.bigint('number').default(0),
  },
});

/** The time zone in whose days a merchant's receipts are counted. A merchant without a row is counted in UTC. */
export const CountedZoneSchema = defineEntity({
  name: 'CountedZone',
  tableName: 'counted_zones',
  indexes: [
    {
      name: 'counted_zones_waiting',
      expression: 'create index counted_zones_waiting on counted_zones (merchant) where after_id is not null',
    },
  ],
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

/** What the statistics contain of a receipt, so that exactly this is removed when the receipt changes. */
export const CountedReceiptSchema = defineEntity({
  name: 'CountedReceipt',
  tableName: 'counted_receipts',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    /** Days since 1970-01-01, UTC. */
    createdDay: p.integer(),
    /** Null if it is not paid. */
    paidDay: p.integer().nullable(),
    status: p.text().$type<ReceiptStatus>(),
    /** The token of the payment; empty without one. */
    token: p.text(),
    totalCents: p.bigint('number'),
    feeCents: p.bigint('number'),
    refundedCents: p.bigint('number'),
    /** The total in euro cents; null if the receipt is in another currency. */
    euroCents: p.bigint('number').nullable(),
    taxCents: p.bigint('number').default(0),
    /** What was received for it if it is paid, in whole cents. */
    receivedCents: p.bigint('number').default(0),
    /** The days on which money was sent back, in order, and how much on each. */
    sentBackDays: p.array().$type<number[]>().columnType('int[]').default([]),
    sentBackCents: p.array().$type<number[]>().columnType('bigint[]').default([]),
  },
});

/**
 * The rows of `receipt_days` of a month in one row, so that a year is read as twelve rows. The statistics' worker
 * writes it with the days.
 */
export const MonthFiguresSchema = defineEntity({
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

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    DayFigures: TableOf<typeof DayFiguresSchema>;
    MonthFigures: TableOf<typeof MonthFiguresSchema>;
    CountedReceipt: TableOf<typeof CountedReceiptSchema>;
    CountedZone: TableOf<typeof CountedZoneSchema>;
  }
}
