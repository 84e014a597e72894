import { numberText } from '../client/typed-number.ts';
import type { CatalogItemByIdQuery, Currency, InventoryItemInput } from '../generated/catalog.ts';
import { words } from '../shared/words.ts';
import { amountFrom, priceInput, priceOf, priceProblem, skuFrom, stockFrom, stockText } from './item.ts';

/** An item as it is in the form. */
export interface Draft {
  readonly sku: string;
  readonly name: string;
  readonly price: string;
  readonly currency: Currency;
  readonly stock: string;
  readonly category: string;
  readonly description: string;
  readonly taxable: boolean;
  readonly images: readonly string[];
  /** The small picture; undefined as long as it is unchanged, null if it is removed. */
  readonly thumb?: string | null;
}

export const NEW_DRAFT: Omit<Draft, 'currency'> = {
  sku: '',
  name: '',
  price: '',
  stock: '',
  category: '',
  description: '',
  taxable: true,
  images: [],
};

/** What the form shows of a product. */
export function draftOf(item: NonNullable<CatalogItemByIdQuery['inventoryItem']>): Draft {
  const { amount, currency } = priceOf(item);
  const { sku, name, stockQty, category, description, taxable, images } = item;
  return {
    sku,
    name,
    currency,
    taxable,
    images,
    price: numberText(amount, 'money'),
    stock: stockText(stockQty),
    category: category ?? '',
    description: description ?? '',
  };
}

/** What is wrong with the fields of a draft. */
export function problemsOf({
  name,
  price,
  currency,
  stock,
  sku,
}: Draft): Readonly<Partial<Record<keyof Draft, string>>> {
  const wrongPrice = priceProblem(price, currency);
  return {
    ...(name.trim() ? {} : { name: words.catalog.nameNeeded }),
    ...(wrongPrice === null ? {} : { price: wrongPrice }),
    ...(stockFrom(stock) === null ? { stock: words.catalog.wrongStock } : {}),
    ...(sku.trim() || skuFrom(name) || !name.trim() ? {} : { sku: words.catalog.skuNeeded }),
  };
}

/** A draft without problems as an input of the API; of a stored item only what differs. */
export function inputOf(draft: Draft, saved?: Draft): InventoryItemInput {
  const sku = draft.sku.trim() || skuFrom(draft.name);
  const whole = {
    name: draft.name.trim(),
    stockQty: stockFrom(draft.stock),
    category: draft.category.trim() || null,
    description: draft.description.trim() || null,
    taxable: draft.taxable,
    images: [...draft.images],
  };
  const price = priceInput(amountFrom(draft.price, draft.currency) ?? 0, draft.currency);
  const thumb = draft.thumb === undefined ? {} : { thumb: draft.thumb };
  if (!saved) return { sku, ...whole, ...price, ...thumb };
  const before: Record<string, unknown> = inputOf(saved);
  const changed = Object.entries(whole).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
  const priced = draft.price !== saved.price || draft.currency !== saved.currency;
  return { sku, ...Object.fromEntries(changed), ...(priced ? price : {}), ...thumb };
}
