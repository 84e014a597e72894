import { z } from 'zod';
import { type Currency, currency, price, wholeNumber } from '../core/amount.ts';
import { refuse } from '../core/errors.ts';
import { fault, optional } from '../core/input.ts';
import { jsonObject } from '../core/json.ts';
import { description, identifier, label, MAX_LABEL, text, wallet } from '../core/text.ts';
import { picture } from '../core/url.ts';

/** The largest stock; -1 is without limit. */
export const MAX_STOCK = 1_000_000_000;

/** Left out: stays as it is. Null: cleared. */
const clearable = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

const tags = z
  .array(text(64))
  .max(50)
  .transform((all) => [...new Set(all.map((tag) => tag.trim()).filter((tag) => tag !== ''))]);

/**
 * The body of `POST /api/inventory`: a product by its sku, or those parts of one that change. A price is given in US dollars (`priceUsd`) or natively
 * (`price` with `currency`), never both; what comes out as `pricing` replaces the item's three price columns.
 */
export const itemInput = z
  .object({
    wallet: optional(wallet),
    sku: identifier,
    name: optional(label),
    priceUsd: optional(price),
    price: optional(price),
    currency: optional(currency),
    stockQty: optional(wholeNumber(-1, MAX_STOCK)),
    taxable: optional(z.boolean()),
    category: clearable(text(MAX_LABEL)),
    description: clearable(description),
    tags: optional(tags),
    images: optional(z.array(picture).max(8)),
    thumb: clearable(picture),
    attributes: clearable(jsonObject),
    costUsd: clearable(price),
    jurisdictionCode: clearable(identifier),
  })
  .transform(({ priceUsd, price: nativePrice, currency: unit, costUsd, ...rest }, ctx) => {
    if (priceUsd !== undefined && nativePrice !== undefined) fault(ctx, 'must not be given beside priceUsd', ['price']);
    if (nativePrice !== undefined && unit === undefined)
      fault(ctx, 'must be given with price: USD or EUR', ['currency']);
    if (nativePrice === undefined && unit !== undefined && !(unit === 'USD' && priceUsd !== undefined)) {
      fault(ctx, 'goes with price, which must be given', ['currency']);
    }
    return { ...rest, costUsdCents: costUsd, pricing: pricingOf(priceUsd, nativePrice, unit) };
  });

export type ItemInput = z.output<typeof itemInput>;

/** The price columns of an item: exactly one of the two prices is set. */
export interface ItemPricing {
  readonly priceUsdCents: number | null;
  readonly priceCents: number | null;
  readonly currency: Currency | null;
}

function pricingOf(priceUsdCents?: number, priceCents?: number, unit?: Currency): ItemPricing | undefined {
  if (priceUsdCents !== undefined) return { priceUsdCents, priceCents: null, currency: null };
  if (priceCents !== undefined && unit !== undefined) return { priceUsdCents: null, priceCents, currency: unit };
  return undefined;
}

/** An input that is enough for a new item: refuses with `invalid_input` where the name or a price is missing. */
export function forNewItem(input: ItemInput): ItemInput & { readonly name: string; readonly pricing: ItemPricing } {
  const { name, pricing } = input;
  if (name === undefined) throw refuse('invalid_input', 'name is required for a new item', { field: 'name' });
  if (pricing === undefined) {
    throw refuse('invalid_input', 'priceUsd is required for a new item, or price with currency', { field: 'priceUsd' });
  }
  return { ...input, name, pricing };
}
