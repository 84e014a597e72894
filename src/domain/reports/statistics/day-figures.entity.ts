import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';

const DayFiguresSchema = defineEntity({
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

/** The sums of a merchant's receipts by day, current status and token. Only the statistics' worker writes them. */
export class DayFigures extends DayFiguresSchema.class {}
DayFiguresSchema.setClass(DayFigures);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    DayFigures: TableOf<typeof DayFiguresSchema>;
  }
}
