import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { RateProvider } from '../../../base/core/rates.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database, TableOf } from '../../../base/platform/postgres/database.ts';
import type { ReceiptStatus } from './lifecycle.ts';

/** One line of a receipt. `priceCents` is the extended amount in US cents, so lines add up to the total. */
export interface LineItem {
  readonly label: string;
  readonly priceCents: number;
  readonly qty?: number;
  readonly itemId?: string;
  readonly sku?: string;
}

/** The billing details that the buyer or the merchant gave. All texts; only the fields that were given. */
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

/** The amounts of a receipt in its own currency, if it is not US dollars, at the rate when it was created. */
export interface Pricing {
  readonly version: 1;
  readonly currency: 'USD' | 'EUR';
  /** Decimal text. */
  readonly usdPerUnit: string;
  /** Epoch ms. */
  readonly quotedAt: number;
  readonly provider: RateProvider;
  readonly originalTotalCents: number;
  readonly originalLineItems: readonly {
    readonly label: string;
    readonly amountCents: number;
    readonly qty?: number;
  }[];
}

export const ReceiptSchema = defineEntity({
  name: 'Receipt',
  tableName: 'receipts',
  indexes: [
    {
      name: 'receipts_newest',
      expression: 'create index receipts_newest on receipts (merchant, created_at desc, id desc)',
    },
    { name: 'receipts_by_id', expression: 'create index receipts_by_id on receipts (id)' },
    {
      name: 'receipts_expiring',
      expression:
        'create index receipts_expiring on receipts (expires_at) where closed_at is null and expires_at is not null',
    },
    {
      name: 'receipts_in_flight',
      expression:
        "create index receipts_in_flight on receipts (status, transaction_timestamp) where status in ('tx_mined', 'tx_mismatch', 'paid')",
    },
    {
      name: 'receipts_paid',
      expression:
        "create index receipts_paid on receipts (merchant, coalesce(closed_at, transaction_timestamp, created_at)) where status in ('paid', 'completed', 'refunded')",
    },
    {
      name: 'receipts_by_creator',
      expression:
        'create index receipts_by_creator on receipts (merchant, created_by, created_at desc, id desc) where created_by is not null',
    },
    {
      name: 'receipts_of_link',
      expression: 'create index receipts_of_link on receipts (merchant, link_id, created_at) where link_id is not null',
    },
    {
      name: 'receipts_sold_by_link',
      expression:
        "create index receipts_sold_by_link on receipts (merchant, link_id) include (total_cents, status, paid_token) where link_id is not null and status in ('paid', 'completed', 'refunded')",
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    origin: p.text().$type<'order' | 'receipt' | 'terminal' | 'charge'>(),
    status: p.text().$type<ReceiptStatus>(),
    /** The `seq` of the last row of the history; every change of the receipt increments it. */
    seq: p.integer().default(1),
    /** The status in the last webhook; initially the first status. */
    announcedStatus: p.text(),
    totalCents: p.bigint('number'),
    currency: p.text().$type<'USD' | 'EUR'>(),
    lineItems: p.json().$type<readonly LineItem[]>(),
    jurisdictionCode: p.text().nullable(),
    /** Decimal text, 0 to 1. */
    taxRate: p.text().nullable(),
    taxComponents: p.json().$type<readonly string[]>().nullable(),
    pricing: p.json().$type<Pricing>().nullable(),
    brandName: p.text(),
    transactionId: p.text().nullable(),
    /** The language of its pages, as a BCP 47 tag. */
    language: p.text().nullable(),
    metadata: p.json().$type<Record<string, unknown>>().nullable(),
    billingAddress: p.json().$type<BillingAddress>().nullable(),
    redirectUrl: p.text().nullable(),
    successUrl: p.text().nullable(),
    postPayment: p.text().nullable(),
    webhookUrl: p.text().nullable(),
    /** The key that created the receipt and signs its webhooks. */
    keyId: p.text().nullable(),
    /** The wallet whose session created it; null if a key did. */
    createdBy: p.text().$type<Wallet>().nullable(),
    /** The payment link that it was made by. Its stock is held, whatever the shop's setting is. */
    linkId: p.text().nullable(),
    /** The buyer of a link's receipt, as a digest of link, day and address. */
    linkVisitor: p.text().nullable(),
    /** The head of the chain `createdChainId` when the receipt was created. Older payments never match the receipt. */
    createdBlock: p.bigint('number').nullable(),
    createdChainId: p.bigint('number').nullable(),
    /** The heads of the other chains then, by chain id; null if there were none. */
    createdHeads: p.json().$type<Readonly<Record<string, number>>>().nullable(),
    /** Digest of the content of the request, to distinguish a repeated request from one with other content. */
    contentDigest: p.text().nullable(),
    transactionHash: p.text().$type<`0x${string}`>().nullable(),
    /** Epoch ms of the block that carries the payment. */
    transactionTimestamp: p.bigint('number').nullable(),
    /** The chain of `transactionHash`, `paidToken` and `paidAmount`. */
    paymentChainId: p.bigint('number').nullable(),
    buyerWallet: p.text().$type<Wallet>().nullable(),
    paidToken: p.text().nullable(),
    /** Base units of `paidToken`. */
    paidAmount: p.decimal('string').columnType('numeric(78,0)').$type<string>().nullable(),
    /** The sum of the proven refunds, which is due again. */
    refundedCents: p.bigint('number').default(0),
    /** What is missing from its payment and was accepted, in US dollars as decimal text. */
    acceptedUsd: p.text().nullable(),
    failureCode: p.text().nullable(),
    /** The provider's id of the card checkout that is open or has paid; null if the buyer pays another way. */
    onrampSessionId: p.text().nullable(),
    /** The amount that the provider converts to tokens, without its fees, in US cents. */
    onrampSourceAmountCents: p.bigint('number').nullable(),
    /** The amount charged to the buyer's card, including the provider's fees, in US cents. */
    customerTotalCents: p.bigint('number').nullable(),
    /**
     * Whether a provider has ever charged the buyer's card for it. Only whether a payment keeps the recorded checkout
     * depends on it. Whether a card's money is on its way follows from its sessions (`moneyOnItsWay`); processes of the
     * version before read it here, so it is still set, and never taken back.
     */
    onrampCharged: p.boolean().default(false),
    stockTaken: p.boolean().default(false),
    /** Whether the items of its lines are held for it, until it is paid or ends. */
    stockHeld: p.boolean().default(false),
    /** How long the receipt waits for its payment, also after a renewal; null for ever. */
    lifetimeMs: p.bigint('number').nullable(),
    /** When the receipt ends if it is still unpaid; null if never. */
    expiresAt: p.bigint('number').nullable(),
    /** When the receipt stopped waiting for money: paid, completed, expired or voided. Null while it waits. */
    closedAt: p.bigint('number').nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** A request for payment to a merchant, and its state. */
export type Receipt = Selectable<Database['Receipt']>;

/** The names of all columns. */
export const RECEIPT_COLUMNS = Object.keys(ReceiptSchema.properties) as readonly (keyof Receipt)[];

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Receipt: TableOf<typeof ReceiptSchema>;
  }
}
