import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';
import type { ReceiptStatus } from './lifecycle.ts';

/** One line of a receipt. `priceCents` is the extended amount in US cents, so lines add up to the total. */
export interface LineItem {
  readonly label: string;
  readonly priceCents: number;
  readonly qty?: number;
  readonly itemId?: string;
  readonly sku?: string;
}

/** What the buyer's side gave about itself. All texts; only what was given. */
export interface BillingAddress {
  firstName?: string;
  lastName?: string;
  phone?: string;
  email?: string;
  line1?: string;
  line2?: string;
  city?: string;
  state?: string;
  zip?: string;
  country?: string;
}

/** The native valuation of a receipt that is not in US dollars, as it was when the receipt was made. */
export interface Pricing {
  readonly version: 1;
  readonly currency: 'USD' | 'EUR';
  /** Decimal text. */
  readonly usdPerUnit: string;
  /** Epoch ms. */
  readonly quotedAt: number;
  readonly provider: string;
  readonly originalTotalCents: number;
  readonly originalLineItems: readonly {
    readonly label: string;
    readonly amountCents: number;
    readonly qty?: number;
  }[];
}

const ReceiptSchema = defineEntity({
  name: 'Receipt',
  tableName: 'receipts',
  indexes: [
    {
      name: 'receipts_newest',
      expression: 'create index receipts_newest on receipts (merchant, created_at desc, id desc)',
    },
    { name: 'receipts_by_id', expression: 'create index receipts_by_id on receipts (id)' },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    origin: p.text().$type<'order' | 'receipt' | 'terminal' | 'charge'>(),
    status: p.text().$type<ReceiptStatus>(),
    /** The last row of the history; every change of the receipt raises it. */
    seq: p.integer().default(1),
    /** What the last webhook told, else the first status. */
    announcedStatus: p.text(),
    totalCents: p.bigint('number'),
    currency: p.text().$type<'USD' | 'EUR'>(),
    lineItems: p.json().$type<LineItem[]>(),
    jurisdictionCode: p.text().nullable(),
    /** Decimal text, 0 to 1. */
    taxRate: p.text().nullable(),
    taxComponents: p.json().$type<string[]>().nullable(),
    pricing: p.json().$type<Pricing>().nullable(),
    brandName: p.text(),
    transactionId: p.text().nullable(),
    metadata: p.json().$type<Record<string, unknown>>().nullable(),
    billingAddress: p.json().$type<BillingAddress>().nullable(),
    redirectUrl: p.text().nullable(),
    successUrl: p.text().nullable(),
    postPayment: p.text().nullable(),
    webhookUrl: p.text().nullable(),
    /** The key that made it, and signs its webhooks. */
    keyId: p.text().nullable(),
    /** The chain's head when it was made: an older payment is not for it. */
    createdBlock: p.bigint('number').nullable(),
    /** Digest of the caller's own content, so that the same request again is told from another. */
    contentDigest: p.text().nullable(),
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
    /** Epoch ms of the block that carries the payment. */
    transactionTimestamp: p.bigint('number').nullable(),
    buyerWallet: p.text().$type<Wallet>().nullable(),
    paidToken: p.text().nullable(),
    /** Base units of `paidToken`. */
    paidAmount: p.decimal('string').columnType('numeric(78,0)').$type<string>().nullable(),
    failureCode: p.text().nullable(),
    /** The card checkout that is under way or has paid, as its provider names it; null where the buyer pays in another way. */
    onrampSessionId: p.text().nullable(),
    /** What its provider turns into tokens, in US cents, its own fees aside. */
    onrampSourceAmountCents: p.bigint('number').nullable(),
    /** What the buyer's card is charged, the provider's fees included, in US cents. */
    customerTotalCents: p.bigint('number').nullable(),
    /** Whether the provider has taken the buyer's money: what arrives then is its delivery, and no payment from a wallet. */
    onrampCharged: p.boolean().default(false),
    stockTaken: p.boolean().default(false),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** What a buyer owes and has paid. */
export class Receipt extends ReceiptSchema.class {}
ReceiptSchema.setClass(Receipt);

declare module '../platform/database.ts' {
  interface Database {
    Receipt: TableOf<typeof ReceiptSchema>;
  }
}
