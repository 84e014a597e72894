import { MAX_AMOUNT_CENTS } from '../../../../base/core/limits.ts';
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

const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€' };

/** Thousands with a sign of their own, and decimals with the other one: `1,250.00` and `1.250,00`. */
const GROUPED = [
  { form: /^\d{1,3}(?:,\d{3})+\.\d{2}$/, group: /,/g },
  { form: /^\d{1,3}(?:\.\d{3})+,\d{2}$/, group: /\./g },
] as const;

/**
 * An amount as it is typed, `1234.5`; with a comma for the decimals, with groups of thousands, or with the sign of its
 * currency too. Null for what is none, has more than two decimals, may be read in two ways (`1,250`), has the sign of
 * another currency, or exceeds the largest amount.
 */
export function amountFrom(text: string, currency: string): number | null {
  const sign = SIGNS[currency] ?? '';
  const bare = text.trim();
  const signed = bare.startsWith(sign) ? bare.slice(sign.length) : bare;
  const unsigned = (
    signed.endsWith(sign) && signed === bare ? signed.slice(0, signed.length - sign.length) : signed
  ).trim();
  const grouped = GROUPED.find(({ form }) => form.test(unsigned));
  const plain = (grouped ? unsigned.replace(grouped.group, '') : unsigned).replace(',', '.');
  if (!/^\d{1,8}(?:\.(?:\d{1,2}|\d{2}0{2,}))?$/.test(plain)) return null;
  const amount = Number(plain);
  return amount * 100 <= MAX_AMOUNT_CENTS ? amount : null;
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
