import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';

const QuoteSchema = defineEntity({
  name: 'Quote',
  tableName: 'quotes',
  uniques: [{ properties: ['chainId', 'payTo', 'token', 'amount'] }],
  indexes: [
    { properties: ['merchant', 'receiptId', 'createdAt'] },
    {
      name: 'quotes_open',
      expression: 'create index quotes_open on quotes (merchant, receipt_id) where reserved_until is null',
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    receiptId: p.text(),
    chainId: p.bigint('number'),
    payTo: p.text().$type<Wallet>(),
    /** Symbol, as in `USDC`. */
    token: p.text(),
    /** Base units; the last digits make it unique. */
    amount: p.decimal('string').columnType('numeric(78,0)'),
    /**
     * US dollars still due when the quote was made, as decimal text. The amount is worth this sum, without the digits
     * that make it unique.
     */
    usd: p.text(),
    /** US dollars per whole token, as decimal text. */
    usdPerUnit: p.text(),
    /** Since when the receipt has held the amount. */
    createdAt: p.bigint('number'),
    /** Until when the amount is worth what it was quoted for. Null in rows of earlier versions: without an end. */
    expiresAt: p.bigint('number').nullable(),
    /**
     * The time until which no other receipt may use the amount, once its receipt was paid. Null while it is unpaid: the
     * reservation then follows from `expiresAt`.
     */
    reservedUntil: p.bigint('number').nullable(),
    /** When the buyer last requested or renewed the quote. Null in rows of earlier versions. */
    seenAt: p.bigint('number').nullable(),
    /** The receipts that held the amount before and were not paid, latest first; see `CLAIM_MS`. */
    earlier: p.array().$type<string[]>().columnType('text[]').defaultRaw(`'{}'`),
  },
});

/** An amount reserved for one receipt: a transfer of exactly this amount pays the receipt. */
export class Quote extends QuoteSchema.class {}
QuoteSchema.setClass(Quote);

/** A stored quote, without its reservation. */
export type QuoteRow = Readonly<Omit<Selectable<TableOf<typeof QuoteSchema>>, 'reservedUntil'>>;

/** The columns of a `QuoteRow`. */
export const QUOTE_FIELDS = Object.keys(QuoteSchema.properties).filter(
  (column) => column !== 'reservedUntil',
) as readonly (keyof QuoteRow)[];

declare module '../platform/database.ts' {
  interface Database {
    Quote: TableOf<typeof QuoteSchema>;
  }
}
