import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';

const QuoteSchema = defineEntity({
  name: 'Quote',
  tableName: 'quotes',
  uniques: [{ properties: ['chainId', 'payTo', 'token', 'amount'] }],
  indexes: [{ properties: ['merchant', 'receiptId', 'createdAt'] }],
  properties: {
    id: p.text().primary(),
    merchant: p.text().$type<Wallet>(),
    receiptId: p.text(),
    chainId: p.bigint('number'),
    payTo: p.text().$type<Wallet>(),
    /** Symbol, as in `USDC`. */
    token: p.text(),
    /** Base units, made unique by its last digits. */
    amount: p.decimal('string').columnType('numeric(78,0)'),
    /** US cents that the amount stands for. */
    cents: p.bigint('number'),
    /** US dollars per whole token, as decimal text. */
    usdPerUnit: p.text(),
    createdAt: p.bigint('number'),
    /** Null: holds as long as the receipt is unpaid. */
    expiresAt: p.bigint('number').nullable(),
    /** Until when the amount stays out of use for other receipts; null while its receipt is unpaid. */
    reservedUntil: p.bigint('number').nullable(),
  },
});

/** An amount promised to one receipt: a transfer of exactly it is that receipt's payment. */
export class Quote extends QuoteSchema.class {}
QuoteSchema.setClass(Quote);
