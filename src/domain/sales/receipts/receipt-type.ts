import DataLoader from 'dataloader';
import { sql } from 'kysely';
import { transactionUrl } from '../../../base/chain/explorers.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import type { RateProvider } from '../../../base/core/rates.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, type ObjectFields, throughParent } from '../../../base/graphql/builder.ts';
import { type Context, loader } from '../../../base/graphql/context.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-fields.ts';
import { CurrencyEnum, vocabulary } from '../../../base/graphql/vocabulary.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { checkoutToken } from '../../access/gateway/page-token.ts';
import { findItems } from '../../shop/catalog/list-items.ts';
import { lineThumb, MAX_LINE_THUMB, thumbAddress } from '../../shop/catalog/pictures.ts';
import type { Oversold } from '../../shop/catalog/stock.ts';
import type { AcceptedDifference } from './accepted-note.ts';
import { BillingAddressType } from './billing-address-type.ts';
import type { ShownColumn } from './columns.ts';
import { FailureType, failureOf } from './failures.ts';
import { loadHistory } from './history.ts';
import { RECORD_STATUS } from './lifecycle.ts';
import { paidAtOf } from './paid-at.ts';
import { paymentUrl, x402Url } from './payment-url.ts';
import { perReceipt } from './per-receipt.ts';
import { buyersOwn, type ReceiptRow, type ShownLine } from './read.ts';
import type { Pricing } from './receipt.entity.ts';
import { OVERSOLD_NOTE } from './record-change.ts';
import { EventKindEnum, ReceiptStatusEnum, RecordStatusEnum } from './status-types.ts';
import type { StatusEvent } from './stream.ts';

const ReceiptLine = builder.objectRef<ShownLine & { merchant: Wallet }>('ReceiptLine').implement({
  description: 'One line of a receipt. Lines add up to the total.',
  ...throughParent,
  fields: (t) => ({
    label: t.exposeString('label', { pages: RECEIPT_PAGES, description: 'The text of the line.' }),
    priceUsd: t.field({
      pages: RECEIPT_PAGES,
      type: 'Usd',
      description: 'The extended amount (unit price × quantity), in US dollars.',
      resolve: (line) => usdFromCents(line.priceCents),
    }),
    qty: t.int({
      pages: RECEIPT_PAGES,
      nullable: true,
      description: 'The quantity; null on lines that are not items.',
      resolve: (line) => line.qty ?? null,
    }),
    itemId: t.id({
      nullable: true,
      description: 'The inventory item; null on other lines.',
      resolve: (line) => line.itemId ?? null,
    }),
    sku: t.string({
      nullable: true,
      description: 'The SKU of the item; null on other lines.',
      resolve: (line) => line.sku ?? null,
    }),
    thumb: t.string({
      pages: RECEIPT_PAGES,
      nullable: true,
      description: `A small picture of the item as a data URI, a tile if it has none of at most ${MAX_LINE_THUMB} characters.`,
      resolve: async (line, _args, context) => {
        if (line.thumb || !line.itemId) return line.thumb ?? null;
        return lineThumb(await thumbs(context, line.merchant).load(line.itemId), line.label);
      },
    }),
    thumbUrl: t.string({
      pages: RECEIPT_PAGES,
      nullable: true,
      description: "The address of the item's picture; a data URI is served under `/images/`. Null where it has none.",
      resolve: async (line, _args, context) =>
        line.itemId
          ? thumbAddress(context.settings.baseUrl, await thumbs(context, line.merchant).load(line.itemId))
          : null,
    }),
  }),
});

const THUMBS = Symbol('thumbs');

/** Loads the pictures of all lines of one response in one query. */
const thumbs = (context: Context, merchant: Wallet) =>
  loader(
    context,
    THUMBS,
    () =>
      new DataLoader<string, string | null>(async (ids) => {
        const items = await findItems(context.db, merchant, ids);
        return ids.map((id) => items.get(id)?.thumb ?? null);
      }),
  );

const RateProviderEnum = vocabulary('RateProvider', 'The source of an exchange rate.', {
  static: 'Configured by the operator.',
  chainlink: 'A Chainlink price feed.',
  ecb: 'The daily reference rates of the European Central Bank.',
  par: 'One to one.',
} satisfies Record<RateProvider, string>);

const NativeLine = builder.objectRef<Pricing['originalLineItems'][number]>('NativeLine').implement({
  pages: RECEIPT_PAGES,
  description: 'One line in the currency of the receipt.',
  ...throughParent,
  fields: (t) => ({
    label: t.exposeString('label', { description: 'The text of the line.' }),
    amount: t.float({
      description: 'Extended amount (unit price × quantity) in major units.',
      resolve: (line) => usdFromCents(line.amountCents),
    }),
    qty: t.int({ nullable: true, description: 'The quantity; descriptive.', resolve: (line) => line.qty ?? null }),
  }),
});

const PricingType = builder.objectRef<Pricing>('Pricing').implement({
  pages: RECEIPT_PAGES,
  description:
    'The amounts of a receipt in its own currency, if it is not US dollars, at the rate when it was created.',
  ...throughParent,
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'The version of this format: 1.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency of the receipt, as in `EUR`.' }),
    usdPerUnit: t.float({
      description: 'US dollars for one unit of the currency.',
      resolve: (pricing) => Number(pricing.usdPerUnit),
    }),
    quotedAt: t.field({
      type: 'Millis',
      description: 'When the rate was quoted.',
      resolve: (pricing) => pricing.quotedAt,
    }),
    provider: t.expose('provider', { type: RateProviderEnum, description: 'The source of the rate.' }),
    originalTotal: t.float({
      description: 'The total in the native currency.',
      resolve: (pricing) => usdFromCents(pricing.originalTotalCents),
    }),
    originalLineItems: t.field({
      type: [NativeLine],
      description: 'The lines in the native currency.',
      resolve: (pricing) => [...pricing.originalLineItems],
    }),
  }),
});

/**
 * Readers of a receipt: the merchant's keys and admin, platform admins, the buyer's page, and the caller that has just
 * created it.
 */
export const RECEIPT_READERS = {
  $granted: 'receipt',
  scope: 'receipts:read',
  may: 'receipts:own',
  platform: true,
  buyer: true,
} as const;

const OversoldType = builder.objectRef<Oversold>('OversoldItem').implement({
  description: 'An item of which a receipt sold more units than were in stock.',
  ...throughParent,
  fields: (t) => ({
    sku: t.exposeString('sku', { description: 'The SKU of the item.' }),
    qty: t.exposeInt('qty', { description: 'The number of units missing when the stock was taken.' }),
  }),
});

const AcceptedType = builder.objectRef<AcceptedDifference>('AcceptedDifference').implement({
  description: 'The difference between a receipt and its payment, in US dollars as decimal text.',
  ...throughParent,
  fields: (t) => ({
    totalUsd: t.exposeString('totalUsd', { description: 'The total of the receipt.' }),
    receivedUsd: t.exposeString('receivedUsd', { description: 'What was received, without what was refunded.' }),
    missingUsd: t.exposeString('missingUsd', { description: 'What was accepted as missing.' }),
  }),
});

export const StatusEventType = builder.objectRef<StatusEvent>('ReceiptStatusEvent').implement({
  description: 'One row of a receipt’s history. Its `seq` is the same in history, stream and webhook.',
  authScopes: RECEIPT_READERS,
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: (event) => globalId('ReceiptStatusEvent', event.cursor) }),
    receiptId: t.exposeID('receiptId', { pages: RECEIPT_PAGES, description: 'The id of the receipt.' }),
    seq: t.exposeInt('seq', {
      pages: RECEIPT_PAGES,
      description: 'The position in the receipt’s history; resume with `afterSeq`.',
    }),
    kind: t.expose('kind', { pages: RECEIPT_PAGES, type: EventKindEnum, description: 'What the entry records.' }),
    status: t.expose('status', {
      pages: RECEIPT_PAGES,
      type: ReceiptStatusEnum,
      description: 'The receipt’s status after this event.',
    }),
    previousStatus: t.expose('previousStatus', {
      pages: RECEIPT_PAGES,
      type: ReceiptStatusEnum,
      nullable: true,
      description: 'The previous status, if this event changed it.',
    }),
    tracking: t.string({
      pages: RECEIPT_PAGES,
      nullable: true,
      description: 'The report or note; null for `status` events.',
      resolve: (event) => event.name,
    }),
    actor: t.exposeString('actor', {
      description: 'Who or what caused it, as in `buyer`, `chain`, `tolerance`, `key:…` or `wallet:0x…`.',
    }),
    accepted: t.field({
      type: AcceptedType,
      nullable: true,
      description: 'What was accepted; null unless it is the note `accepted_difference`.',
      resolve: (event) => event.accepted,
    }),
    at: t.field({
      pages: RECEIPT_PAGES,
      type: 'Millis',
      description: 'When it was recorded.',
      resolve: (event) => event.at,
    }),
    transactionHash: t.exposeString('transactionHash', {
      pages: RECEIPT_PAGES,
      nullable: true,
      description: 'The hash of the payment transaction, once it is known.',
    }),
    cursor: t.exposeString('cursor', { description: 'The position in the merchant’s stream; resume with `after`.' }),
  }),
});

/** The columns that are fields under another name or of another type. The payment's token is a field of payments. */
type Renamed = 'id' | 'origin' | 'totalCents' | 'failureCode' | 'paidToken' | 'paidAmount' | 'paymentChainId';
type EveryColumn = Record<Exclude<ShownColumn, Renamed>, unknown> & Record<string, unknown>;

type ReceiptFields = ObjectFields<ReceiptRow>;

/** Whose receipt it is, and what the merchant and the buyer have said about it. */
const identityFields = (t: ReceiptFields) => ({
  id: t.id({
    pages: RECEIPT_PAGES,
    description: GLOBAL_ID,
    resolve: ({ merchant, id }) => globalId('Receipt', merchant, id),
  }),
  receiptId: t.id({
    pages: RECEIPT_PAGES,
    description: 'The id of the receipt. Ids that callers choose are unique per merchant.',
    resolve: (receipt) => receipt.id,
  }),
  merchant: t.field({
    pages: RECEIPT_PAGES,
    type: 'Wallet',
    description: 'The merchant’s wallet.',
    resolve: (receipt) => receipt.merchant,
  }),
  brandName: t.exposeString('brandName', {
    pages: RECEIPT_PAGES,
    description: 'The merchant’s name, as the buyer sees it.',
  }),
  transactionId: t.exposeID('transactionId', {
    pages: RECEIPT_PAGES,
    nullable: true,
    description: 'The merchant’s own reference.',
  }),
  language: t.exposeString('language', {
    pages: RECEIPT_PAGES,
    nullable: true,
    description: 'The language of the buyer’s pages and mails as a BCP 47 tag; null: that of the browser.',
  }),
  linkId: t.exposeID('linkId', { nullable: true, description: 'The payment link that it was made by.' }),
  metadata: t.field({
    type: 'JSON',
    nullable: true,
    description: 'The merchant’s own data, as it was given.',
    resolve: (receipt) => receipt.metadata,
  }),
  billingAddress: t.field({
    pages: ['receipt'],
    type: BillingAddressType,
    nullable: true,
    description:
      'The billing details that were given. Null on the page of a receipt whose id was chosen by the caller, because such an address can be guessed.',
    resolve: (receipt, _args, { caller }) => (caller.kind === 'buyer' ? buyersOwn(receipt) : receipt.billingAddress),
  }),
});

/** Where the receipt stands, and how it came there. */
const stateFields = (t: ReceiptFields) => ({
  status: t.expose('status', {
    pages: RECEIPT_PAGES,
    type: ReceiptStatusEnum,
    description: 'The state of the money. Reports of the buyer’s side are in `history`.',
  }),
  recordStatus: t.field({
    pages: RECEIPT_PAGES,
    type: RecordStatusEnum,
    description: 'The status in the terms of the order flow: generated, pending, paid, completed, refunded or failed.',
    resolve: (receipt) => RECORD_STATUS[receipt.status],
  }),
  seq: t.exposeInt('seq', { pages: RECEIPT_PAGES, description: 'The `seq` of the last row of its history.' }),
  failure: t.field({
    pages: RECEIPT_PAGES,
    type: FailureType,
    nullable: true,
    description: 'The reason of the failure; null unless the receipt failed.',
    resolve: (receipt) => (receipt.status === 'failed' ? failureOf(receipt.failureCode) : null),
  }),
  oversold: t.field({
    type: [OversoldType],
    description:
      'The items sold beyond the stock when the receipt was paid, or completed without a payment; empty if none.',
    resolve: (receipt, _args, context) => loadOversold(context, receipt),
  }),
  history: t.field({
    pages: RECEIPT_PAGES,
    type: [StatusEventType],
    grantScopes: ['receipt'],
    description: 'The whole history, in order.',
    complexity: { field: 5, multiplier: 5 },
    resolve: (receipt, _args, context) => loadHistory(context, receipt),
  }),
});

/** What the buyer owes. */
const priceFields = (t: ReceiptFields) => ({
  totalUsd: t.field({
    pages: RECEIPT_PAGES,
    type: 'Usd',
    description: 'The sum of subtotal, tax and processing fee.',
    resolve: (receipt) => usdFromCents(receipt.totalCents),
  }),
  currency: t.expose('currency', {
    pages: RECEIPT_PAGES,
    type: CurrencyEnum,
    description: 'The currency of the receipt: USD or EUR.',
  }),
  lineItems: t.field({
    pages: RECEIPT_PAGES,
    type: [ReceiptLine],
    description: 'The lines, followed by tax and processing fee.',
    resolve: (receipt) => receipt.lineItems.map((line) => ({ ...line, merchant: receipt.merchant })),
  }),
  jurisdictionCode: t.exposeString('jurisdictionCode', {
    pages: RECEIPT_PAGES,
    nullable: true,
    description: 'The tax jurisdiction.',
  }),
  taxRate: t.float({
    pages: RECEIPT_PAGES,
    nullable: true,
    description: 'The effective tax rate, 0 to 1.',
    resolve: ({ taxRate }) => (taxRate === null ? null : Number(taxRate)),
  }),
  taxComponents: t.stringList({
    pages: RECEIPT_PAGES,
    nullable: true,
    description: 'The tax components that were applied.',
    resolve: (receipt) => receipt.taxComponents && [...receipt.taxComponents],
  }),
  pricing: t.field({
    pages: RECEIPT_PAGES,
    type: PricingType,
    nullable: true,
    description: 'The amounts in the receipt’s own currency, if it is not US dollars.',
    resolve: (receipt) => receipt.pricing,
  }),
  acceptedUsd: t.exposeString('acceptedUsd', {
    nullable: true,
    description:
      'What is missing of the total and was accepted, by the shop’s tolerance or by an admin, in US dollars as decimal text; null if nothing was.',
  }),
});

/** The addresses of the receipt’s pages, and those that its events go to. */
const urlFields = (t: ReceiptFields) => ({
  x402Url: t.string({
    description:
      'The address at which programs pay the receipt (HTTP 402, x402 version 2). It shows what the payment page shows.',
    resolve: (receipt, _args, { settings }) => x402Url(settings, receipt),
  }),
  paymentUrl: t.string({
    description:
      'The page where the buyer pays. If the caller chose the id, the parameter `k` grants write access; without it the page is read-only.',
    resolve: (receipt, _args, { settings }) => paymentUrl(settings, receipt),
  }),
  checkoutToken: t.string({
    description: 'Opens the payment page in a frame of the shop’s page, for this receipt and for one to two days.',
    resolve: (receipt, _args, { settings, clock }) => checkoutToken(settings, receipt, clock()),
  }),
  redirectUrl: t.exposeString('redirectUrl', {
    nullable: true,
    description: 'Where the card provider returns the buyer to.',
  }),
  successUrl: t.exposeString('successUrl', {
    pages: ['receipt'],
    nullable: true,
    description: 'Where the buyer’s browser goes after payment.',
  }),
  webhookUrl: t.exposeString('webhookUrl', { nullable: true, description: 'The endpoint that receives changes.' }),
});

/** The transaction that paid it. */
const paymentFields = (t: ReceiptFields) => ({
  transactionHash: t.exposeString('transactionHash', {
    pages: RECEIPT_PAGES,
    nullable: true,
    description: 'The hash of the payment transaction.',
  }),
  chainId: t.field({
    type: 'SafeInt',
    pages: RECEIPT_PAGES,
    nullable: true,
    description: 'The chain of the payment transaction (EIP-155); null before a payment.',
    resolve: ({ paymentChainId }) => paymentChainId,
  }),
  transactionUrl: t.string({
    pages: RECEIPT_PAGES,
    nullable: true,
    description: 'The payment in the chain’s block explorer, if one is known.',
    resolve: ({ transactionHash, paymentChainId }, _args, { chain }) =>
      transactionUrl(paymentChainId ?? chain.chainId, transactionHash),
  }),
  transactionTimestamp: t.field({
    pages: RECEIPT_PAGES,
    type: 'Millis',
    nullable: true,
    description: 'The time of the block with the payment.',
    resolve: (receipt) => receipt.transactionTimestamp,
  }),
  buyerWallet: t.field({
    pages: RECEIPT_PAGES,
    type: 'Wallet',
    nullable: true,
    description: 'The wallet that sent the payment.',
    resolve: (receipt) => receipt.buyerWallet,
  }),
});

const timeFields = (t: ReceiptFields) => ({
  expiresAt: t.field({
    pages: RECEIPT_PAGES,
    type: 'Millis',
    nullable: true,
    description: 'When the receipt ends if it is still unpaid; null if never.',
    resolve: (receipt) => receipt.expiresAt,
  }),
  closedAt: t.field({
    pages: RECEIPT_PAGES,
    type: 'Millis',
    nullable: true,
    description: 'When the receipt was paid, expired or was voided; null while it waits for money.',
    resolve: (receipt) => receipt.closedAt,
  }),
  paidAt: t.field({
    type: 'Millis',
    nullable: true,
    description: 'When the receipt was paid, or completed without a payment; null if it never was.',
    resolve: paidAtOf,
  }),
  createdAt: t.field({
    pages: RECEIPT_PAGES,
    type: 'Millis',
    description: 'When the receipt was created.',
    resolve: (receipt) => receipt.createdAt,
  }),
  updatedAt: t.field({
    type: 'Millis',
    description: 'When the receipt was last changed.',
    resolve: (receipt) => receipt.updatedAt,
  }),
});

/** The GraphQL type of a receipt; other folders add fields to it. */
export const ReceiptRef = builder.objectRef<ReceiptRow>('Receipt').implement({
  description: 'A request for payment to a merchant, and its state.',
  authScopes: RECEIPT_READERS,
  fields: (t) =>
    ({
      ...identityFields(t),
      ...stateFields(t),
      ...priceFields(t),
      ...urlFields(t),
      ...paymentFields(t),
      ...timeFields(t),
    }) satisfies EveryColumn,
});

const OVERSOLD = query(
  'receipts-oversold',
  (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
    db
      .selectFrom('HistoryRow')
      .select(['receiptId', sql<Oversold[]>`detail->'oversold'`.as('oversold')])
      .where('merchant', '=', $.merchant)
      .where('receiptId', '=', sql<string>`any(${$.receiptIds}::text[])`)
      .where('kind', '=', 'note')
      .where('name', '=', OVERSOLD_NOTE),
  { computed: { oversold: 'jsonb' } },
);

/** What each receipt sold beyond the stock, in the order of the receipts; an empty list for none. */
async function readOversoldOf(db: Db, merchant: Wallet, receiptIds: readonly string[]): Promise<Oversold[][]> {
  const rows = await db.run(OVERSOLD, { merchant, receiptIds });
  const byReceipt = new Map(rows.map(({ receiptId, oversold }) => [receiptId, oversold]));
  return receiptIds.map((id) => byReceipt.get(id) ?? []);
}

/** Loads what one receipt oversold; all receipts of one response are read at once. */
const loadOversold = perReceipt<Oversold[]>('oversold', ({ db }, merchant, ids) => readOversoldOf(db, merchant, ids));
