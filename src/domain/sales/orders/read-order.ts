import { refuse } from '../../../base/core/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { requireOwnWallet } from '../../shop/merchants/own-wallet.ts';
import type { ItemRef, MerchantSettings, PricedItem } from '../pricing/read-settings.ts';
import type { Author } from '../receipts/author.ts';
import { requireSigningKey } from '../receipts/author.ts';
import type { MakeDraft } from './book-draft.ts';
import { type Drafting, type DraftLine, draftReceipt } from './draft.ts';
import type { OrderInput } from './order.input.ts';

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
  throw refuse('invalid_input', `${field} has no price in ${currency}`, { field });
}
