import { refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import type { MerchantSettings, PricedItem } from '../merchants/settings.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { Author } from '../receipts/author.ts';
import { requireSigningKey } from '../receipts/author.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { type BookingDeps, bookDraft } from './book-draft.ts';
import { type DraftLine, draftReceipt } from './draft.ts';
import { type OrderInput, orderInput } from './order.input.ts';

/**
 * Turns cart items into a receipt with tax and processing fee.
 *
 * Refuses with `items_required`, `invalid_input` (naming the field, or the sku that is short), `inventory_item_not_found`, `split_required`, or
 * `exchange_rate_unavailable`; nothing is written then. An order over nothing is completed at once.
 *
 * @param body the request's own fields, as in `POST /api/orders`
 */
export async function createOrder(
  deps: BookingDeps,
  author: Author,
  body: unknown,
  uow?: UnitOfWork,
): Promise<ReceiptRow> {
  const input = parseInput(orderInput({ allowInsecure: deps.settings.webhookAllowInsecure }), body);
  requireOwnWallet(author.merchant, input.wallet);
  requireSigningKey(author, input.options);
  return bookDraft(
    deps,
    author,
    input.items,
    (settings, items) => {
      const known = items.map((item, i) => item ?? unknownItem(input.items[i]!));
      const currency = input.currency ?? currencyOf(known, settings);
      return draftReceipt(deps, author, settings, {
        origin: 'order',
        currency,
        lines: known.map((item, i) => lineOf(item, input.items[i]!, currency, i)),
        tax: input,
        options: input.options,
      });
    },
    uow,
  );
}

function lineOf(item: PricedItem, { qty }: OrderInput['items'][number], currency: 'USD' | 'EUR', i: number): DraftLine {
  return { label: item.name, item, unitCents: unitCents(item, currency, i), qty, taxable: item.taxable };
}

function unknownItem({ id, sku }: { id?: string; sku?: string }): never {
  throw refuse('inventory_item_not_found', undefined, id === undefined ? { sku } : { id });
}

/** Without a currency in the request: the one that every item is natively priced in, where there is such a one; else US dollars. */
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
