import { MAX_AMOUNT_CENTS } from '../../../../base/core/limits.ts';
import { readingText } from '../client/money-text.ts';
import { numberFrom, readNumber } from '../client/typed-number.ts';
import type { CatalogItemFragment, Currency, InventoryItemInput } from '../generated/catalog.ts';
import { orText, words } from '../shared/words.ts';

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

/** An amount as it is typed. Null for what is none, can be read in two ways, or exceeds the largest amount. */
export function amountFrom(text: string, currency: string): number | null {
  const amount = numberFrom(text, 'money', currency);
  return amount !== null && amount * 100 <= MAX_AMOUNT_CENTS ? amount : null;
}

/** What is wrong with a price as it is typed; null if nothing is. */
export function priceProblem(text: string, currency: string): string | null {
  if (amountFrom(text, currency) !== null) return null;
  const typed = readNumber(text, 'money', currency);
  if (typed === null || !('either' in typed)) return words.catalog.wrongPrice;
  return words.numbers.say({ amounts: orText(typed.either.map((value) => readingText(value, 'money', currency))) });
}

const MOST_STOCK = 999_999_999;

/** A number in stock as it is typed; empty is unlimited. Null if it is none. */
export function stockFrom(text: string): number | null {
  if (text.trim() === '') return UNLIMITED;
  const stock = numberFrom(text, 'whole');
  return stock !== null && stock <= MOST_STOCK ? stock : null;
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
