import type { Currency } from '../../../base/core/amount.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { lineThumb } from '../../shop/catalog/pictures.ts';
import { currentRate } from '../../shop/fx/rates.ts';
import { requireOwnWallet } from '../../shop/merchants/own-wallet.ts';
import { resolveTax } from '../../shop/tax/jurisdictions.ts';
import type { ItemRef, MerchantSettings, PricedItem } from '../pricing/read-settings.ts';
import { newAddress } from '../receipts/addresses.ts';
import { type Author, requireSigningKey } from '../receipts/author.ts';
import { type NewReceipt, newRow } from '../receipts/book.ts';
import { expiryOf } from '../receipts/expiry.ts';
import type { ReceiptOptions } from '../receipts/options.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import type { LineItem, Pricing } from '../receipts/receipt.entity.ts';
import type { OrderInput } from './order.input.ts';
import { convertOrder, type PricedOrder, priceOrder, type Unpriced } from './totals.ts';

/** Makes the draft from settings and items of one version; null in the place of an item that does not exist. */
export type MakeDraft = (settings: MerchantSettings, items: readonly (PricedItem | null)[]) => Draft;

/** An order: the items it refers to, and the function that makes the draft. */
export interface OrderRequest {
  readonly refs: readonly ItemRef[];
  /** Refuses with `inventory_item_not_found`, `invalid_input`, `split_required` or `exchange_rate_unavailable`. */
  readonly make: MakeDraft;
}

/**
 * Reads an order: the items to look up, and how to draft it. Refuses with `forbidden` another merchant's wallet, and
 * with `invalid_input` a `webhookUrl` without a key.
 *
 * @param id the receipt's id, fixed before the first attempt to insert it
 * @param link the payment link that makes the order
 */
export function readOrder(
  deps: Pick<Deps, 'clock' | 'settings' | 'rates'>,
  author: Author,
  input: OrderInput,
  id: string,
  link: Drafting['link'] = null,
): OrderRequest {
  requireOwnWallet(author.merchant, input.wallet);
  requireSigningKey(author, input.options);
  return {
    refs: input.items,
    make(settings, items) {
      const known = items.map((item, i) => item ?? unknownItem(input.items[i]!));
      const currency = input.currency ?? currencyOf(known, settings);
      return draftReceipt(deps, author, settings, {
        id,
        origin: 'order',
        currency,
        lines: known.map((item, i) => lineOf(item, input.items[i]!, currency, i)),
        tax: input,
        expiresInMinutes: input.expiresInMinutes,
        options: input.options,
        link,
      });
    },
  };
}

function lineOf(item: PricedItem, { qty }: OrderInput['items'][number], currency: 'USD' | 'EUR', i: number): DraftLine {
  return { label: item.name, item, unitCents: unitCents(item, currency, i), qty, taxable: item.taxable };
}

function unknownItem({ id, sku }: { id?: string; sku?: string }): never {
  throw refuse('inventory_item_not_found', undefined, id === undefined ? { sku } : { id });
}

/** The currency of an order that names none: the one native currency of all items, if there is one; else US dollars. */
function currencyOf(items: readonly PricedItem[], settings: MerchantSettings): 'USD' | 'EUR' {
  const [first] = items;
  const own = first?.currency ?? settings.nativeCurrency;
  return items.every((item) => item.currency === own && item.priceUsdCents === null) ? own : 'USD';
}

function unitCents(item: PricedItem, currency: 'USD' | 'EUR', i: number): number {
  if (item.currency === currency && item.priceCents !== null) return item.priceCents;
  if (currency === 'USD' && item.priceUsdCents !== null) return item.priceUsdCents;
  const field = `items[${i}]`;
  throw refuse('invalid_input', `${field} has no price in ${currency}`, { field, reason: 'no_price' });
}

/** A line to price, with the catalog's item if there is one. */
interface DraftLine extends Unpriced {
  readonly label: string;
  readonly item: {
    readonly id: string;
    readonly sku: string;
    readonly thumb: string | null;
    readonly stockLimited: boolean;
  } | null;
}

/** The input of a receipt with tax and fee. */
export interface Drafting {
  /** Fixed before the first attempt to insert, so that a retry does not create a second receipt. */
  readonly id: string;
  readonly origin: 'order' | 'terminal';
  readonly currency: Currency;
  /** In cents of the currency. */
  readonly lines: readonly DraftLine[];
  readonly tax: Parameters<typeof resolveTax>[0];
  /** Default: the server's `RECEIPT_TTL`. */
  readonly expiresInMinutes: number | undefined;
  readonly options: ReceiptOptions;
  /** The payment link that makes it. */
  readonly link?: NewReceipt['link'];
}

/** A receipt with tax and fee that can be inserted as long as the settings that it was priced with are current. */
export interface Draft {
  readonly receipt: NewReceipt;
  readonly row: ReceiptRow;
  readonly version: number;
  /** Items with limited stock, and the quantity ordered of each; empty if the receipt holds its stock. */
  readonly limited: ReadonlyMap<string, number>;
}

/**
 * Prices the lines with the merchant's settings: tax and fee in the receipt's currency, then converts all of it to US
 * dollars once. Refuses with `invalid_input` (tax, or a total that is too large), `split_required` or
 * `exchange_rate_unavailable`.
 */
export function draftReceipt(
  deps: Pick<Deps, 'clock' | 'settings' | 'rates'>,
  author: Author,
  settings: MerchantSettings,
  { id, origin, currency, lines, tax: requestedTax, expiresInMinutes, options, link = null }: Drafting,
): Draft {
  const tax = resolveTax(requestedTax, settings.jurisdictions);
  const priced = priceOrder({ ...settings, lines, rate: tax.rate });
  if (settings.suspended) throw refuse('merchant_suspended');
  const { splitAddress: split, splitOnlyChainId: onlyChainId } = settings;
  if (split === null) throw refuse('split_required');

  const at = deps.clock();
  const rate = currency === 'USD' ? null : currentRate(deps.rates(), currency, at, deps.settings.fx.maxAgeOf);
  const inUsd = rate ? convertOrder(priced, rate.usdPerUnit) : priced;
  const pricing: Pricing | null = rate && {
    version: 1,
    currency,
    usdPerUnit: rate.usdPerUnit,
    quotedAt: rate.quotedAt,
    provider: rate.provider,
    originalTotalCents: priced.totalCents,
    originalLineItems: receiptLines(priced).map(({ label, priceCents, qty }) => ({
      label,
      amountCents: priceCents,
      qty,
    })),
  };

  const receipt: NewReceipt = {
    merchant: author.merchant,
    id,
    origin,
    status: 'generated',
    totalCents: inUsd.totalCents,
    currency,
    lineItems: receiptLines(inUsd),
    jurisdictionCode: tax.jurisdictionCode,
    taxRate: tax.rate,
    taxComponents: tax.components,
    pricing,
    brandName: settings.brandName,
    options,
    keyId: author.keyId,
    contentDigest: null,
    address:
      inUsd.totalCents === 0
        ? null
        : newAddress({ merchant: author.merchant, id, createdAt: at }, { split, onlyChainId }),
    link,
    stockHeld: (settings.holdStock || link !== null) && inUsd.totalCents > 0 && lines.some(({ item }) => item !== null),
    ...expiryOf(deps.settings, expiresInMinutes, at),
    chainId: deps.settings.chainId,
    actor: author.actor,
    at,
  };
  const shown = receipt.lineItems.map((line, i) => {
    const item = lines[i]?.item;
    return item ? { ...line, thumb: lineThumb(item.thumb, line.label) } : line;
  });
  return {
    receipt,
    row: { ...newRow(receipt), lineItems: shown },
    version: settings.version,
    limited: receipt.stockHeld ? new Map() : limitedOf(lines),
  };
}

/** All lines, followed by tax and fee. */
function receiptLines(order: PricedOrder<DraftLine>): LineItem[] {
  return [
    ...order.lines.map(({ label, item, qty, priceCents }) => ({
      label,
      priceCents,
      qty,
      ...(item && { itemId: item.id, sku: item.sku }),
    })),
    { label: 'Tax', priceCents: order.taxCents },
    { label: 'Processing Fee', priceCents: order.feeCents },
  ];
}

function limitedOf(lines: readonly DraftLine[]): Map<string, number> {
  const limited = new Map<string, number>();
  for (const { item, qty } of lines) {
    if (item?.stockLimited) limited.set(item.id, (limited.get(item.id) ?? 0) + qty);
  }
  return limited;
}
