import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

/** A price for a receipt in a token, at the address where it is to be paid. */
export const QuoteSchema = defineEntity({
  name: 'Quote',
  tableName: 'quotes',
  uniques: [{ properties: ['chainId', 'payTo', 'token', 'amount'] }],
  indexes: [{ properties: ['merchant', 'receiptId', 'createdAt'] }],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    receiptId: p.text(),
    chainId: p.bigint('number'),
    payTo: p.text().$type<Wallet>(),
    /** Symbol, as in `USDC`. */
    token: p.text(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)'),
    /** US dollars still due when the quote was made, as decimal text. The amount covers it. */
    usd: p.text(),
    /** US dollars per whole token, as decimal text. */
    usdPerUnit: p.text(),
    createdAt: p.bigint('number'),
    /** Until when the price holds. Null in rows of earlier versions: without an end. */
    expiresAt: p.bigint('number').nullable(),
    /** Of version 0.1, for which amounts were unique and reserved. */
    reservedUntil: p.bigint('number').nullable(),
    /** When the buyer last requested or renewed the quote. Null in rows of earlier versions. */
    seenAt: p.bigint('number').nullable(),
    /** Of version 0.1: the receipts that were quoted the amount before and were not paid. */
    earlier: p.array().$type<string[]>().columnType('text[]').defaultRaw(`'{}'`),
  },
});

/** A stored quote. */
export type QuoteRow = Readonly<Omit<Selectable<TableOf<typeof QuoteSchema>>, 'reservedUntil'>>;

/** The columns of a `QuoteRow`. */
export const QUOTE_FIELDS = Object.keys(QuoteSchema.properties).filter(
  (column) => column !== 'reservedUntil',
) as readonly (keyof QuoteRow)[];

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Quote: TableOf<typeof QuoteSchema>;
  }
}
