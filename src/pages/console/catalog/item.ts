import type { CatalogItemFragment, Currency, InventoryItemInput } from '../generated/catalog.ts';

/** Stock without a limit. */
export const UNLIMITED = -1;

type Priced = Pick<CatalogItemFragment, 'priceUsd' | 'price' | 'currency'>;

/** The price of an item in its own currency. */
export function priceOf({ priceUsd, price, currency }: Priced): {
  readonly amount: number;
  readonly currency: Currency;
} {
  return price !== null && currency !== null ? { amount: price, currency } : { amount: priceUsd ?? 0, currency: 'USD' };
}

/** An amount as it is typed, `1234.5`; with a comma for the decimals too. Null if it is none with two decimals. */
export function amountFrom(text: string): number | null {
  const plain = text
    .trim()
    .replace(/^[€$]\s*/, '')
    .replace(',', '.');
  return /^\d{1,8}(?:\.\d{1,2})?$/.test(plain) ? Number(plain) : null;
}

/** A number in stock as it is typed; empty is unlimited. Null if it is none. */
export function stockFrom(text: string): number | null {
  const plain = text.trim();
  if (plain === '') return UNLIMITED;
  return /^\d{1,9}$/.test(plain) ? Number(plain) : null;
}

/** The reverse of `stockFrom`: the number in stock as it is typed. */
export const stockText = (stockQty: number): string => (stockQty === UNLIMITED ? '' : String(stockQty));

/** The price as an input of the API. */
export const priceInput = (
  amount: number,
  currency: Currency,
): Pick<InventoryItemInput, 'price' | 'currency' | 'priceUsd'> =>
  currency === 'USD' ? { priceUsd: amount } : { price: amount, currency };

/** An SKU for a new item, made of its name: `Stoneware mug` → `STONEWARE-MUG`. */
export const skuFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
