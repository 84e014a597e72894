import { type RawBuilder, sql } from 'kysely';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';

/**
 * The receipts of a month with one status and token, by column: the days that have any, days since 1970-01-01, and the
 * figures of each.
 */
export type MonthGroup = readonly [
  status: ReceiptStatus,
  token: string,
  days: readonly number[],
  createdCount: readonly number[],
  createdCents: readonly number[],
  paidCount: readonly number[],
  paidCents: readonly number[],
  feeCents: readonly number[],
  refundedCents: readonly number[],
  /** The figures of the receipts in euros; null without any. */
  euros: EuroColumns | null,
  /** The money of the receipts. Absent in months that were packed before there was any. */
  money?: MoneyColumns,
];

type EuroColumns = readonly [
  createdCents: readonly number[],
  createdUsdCents: readonly number[],
  paidCents: readonly number[],
  paidUsdCents: readonly number[],
];

type MoneyColumns = readonly [
  taxCents: readonly number[],
  receivedCents: readonly number[],
  surplusCents: readonly number[],
  returnedSurplusCents: readonly number[],
  sentBackCents: readonly number[],
];

/** 1970 years and a month, in months. */
const MONTHS_BEFORE = sql.lit(1970 * 12 + 1);

/** Months since 1970-01 of a day since 1970-01-01. */
export const monthOf = (day: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(extract(year from date '1970-01-01' + ${day}) * 12
       + extract(month from date '1970-01-01' + ${day}) - ${MONTHS_BEFORE})::int`;

/** The first day of a month since 1970-01, as days since 1970-01-01. */
export const firstDayOf = (month: RawBuilder<unknown>): RawBuilder<number> =>
  sql`((date '1970-01-01' + make_interval(months => ${month}))::date - date '1970-01-01')`;

/** The values of a column by day, as a JSON array. */
export const column = (name: string): RawBuilder<unknown> => sql`json_agg(${sql.ref(name)} order by day)`;
