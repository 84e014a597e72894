import { z } from 'zod';
import { type Currency, currency, price, wholeNumber } from '../../../base/core/amount.ts';
import { refuse } from '../../../base/core/errors.ts';
import { clearable, fault, optional } from '../../../base/core/input.ts';
import { jsonObject } from '../../../base/core/json.ts';
import { MAX_LABEL, MAX_STOCK } from '../../../base/core/limits.ts';
import { description, identifier, label, sku, text, wallet, words } from '../../../base/core/text.ts';
import { picture } from '../../../base/records/images/data-uri.ts';

/**
 * The body of `POST /api/inventory`: a new product, or the fields to change of the product with this sku. A price is
 * given in US dollars (`priceUsd`) or natively (`price` with `currency`), never both. `pricingOf` converts it to the
 * item's three price columns.
 */
export const itemInput = z
  .object({
    wallet: optional(wallet),
    sku,
    name: optional(label),
    priceUsd: optional(price),
    price: optional(price),
    currency: optional(currency),
    stockQty: optional(wholeNumber(-1, MAX_STOCK)),
    taxable: optional(z.boolean()),
    category: clearable(text(MAX_LABEL)),
    description: clearable(description),
    tags: optional(words),
    images: optional(z.array(picture).max(8)),
    thumb: clearable(picture),
    attributes: clearable(jsonObject),
    costUsd: clearable(price),
    jurisdictionCode: clearable(identifier),
  })
  .transform(({ priceUsd, price: nativePrice, currency: unit, costUsd, ...rest }, ctx) => {
    if (priceUsd !== undefined && nativePrice !== undefined)
      fault(ctx, 'must not be given together with priceUsd', ['price']);
    if (priceUsd !== undefined && unit === 'EUR') fault(ctx, 'EUR goes with price, not with priceUsd', ['currency']);
    return { ...rest, costUsdCents: costUsd, price: { priceUsdCents: priceUsd, priceCents: nativePrice, unit } };
  });

/** The id of an item to delete. */
export const itemDeletion = z.object({ id: identifier });

export type ItemInput = z.output<typeof itemInput>;

/** The price columns of an item: exactly one of the two prices is set. */
export interface ItemPricing {
  readonly priceUsdCents: number | null;
  readonly priceCents: number | null;
  readonly currency: Currency | null;
}

/**
 * Converts an input to the price columns; undefined if it contains no price. If `known` has a native price, amount and
 * currency may change alone. Refuses with `invalid_input` if one of the two is missing.
 */
export function pricingOf(
  { price: { priceUsdCents, priceCents, unit } }: ItemInput,
  known?: Partial<ItemPricing>,
): ItemPricing | undefined {
  if (priceUsdCents !== undefined) return { priceUsdCents, priceCents: null, currency: null };
  if (priceCents === undefined && unit === undefined) return undefined;
  const cents = priceCents ?? known?.priceCents ?? null;
  const code = unit ?? known?.currency ?? null;
  const field = 'currency';
  if (cents === null) throw refuse('invalid_input', `${field} needs price`, { field });
  if (code === null) throw refuse('invalid_input', `${field} must be given with price: USD or EUR`, { field });
  return { priceUsdCents: null, priceCents: cents, currency: code };
}

/**
 * An input that is complete for a new item, with its price. Refuses with `invalid_input` if the name or the price is
 * missing.
 */
export function forNewItem(input: ItemInput): ItemInput & { readonly name: string; readonly pricing: ItemPricing } {
  const { name } = input;
  if (name === undefined) throw refuse('invalid_input', 'name is required for a new item', { field: 'name' });
  const pricing = pricingOf(input);
  if (pricing === undefined) {
    throw refuse('invalid_input', 'priceUsd is required for a new item, or price with currency', { field: 'priceUsd' });
  }
  return { ...input, name, pricing };
}
