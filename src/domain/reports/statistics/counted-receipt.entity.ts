import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';

const CountedReceiptSchema = defineEntity({
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

/** What the statistics contain of a receipt, so that exactly this is removed when the receipt changes. */
export class CountedReceipt extends CountedReceiptSchema.class {}
CountedReceiptSchema.setClass(CountedReceipt);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    CountedReceipt: TableOf<typeof CountedReceiptSchema>;
  }
}
