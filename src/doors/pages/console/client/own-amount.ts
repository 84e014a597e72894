import type { Currency } from '../generated/receipts.ts';
import { moneyText } from './money-text.ts';

/** The amounts of a receipt, and those that it was priced in if these are not US dollars. */
export interface Priced {
  readonly totalUsd: number;
  readonly pricing: { readonly currency: Currency; readonly originalTotal: number } | null;
}

interface OwnAmount {
  readonly amount: number;
  readonly currency: Currency;
}

const part = (amount: number, of: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((amount * 100 * of) / whole) / 100;

/** A part of a receipt, its total by default, in the receipt’s own currency. */
export function ownAmount({ totalUsd, pricing }: Priced, usd = totalUsd): OwnAmount {
  if (!pricing) return { amount: usd, currency: 'USD' };
  return { amount: part(usd, pricing.originalTotal, totalUsd), currency: pricing.currency };
}

interface PricedLines extends Priced {
  readonly lineItems: readonly { readonly priceUsd: number }[];
  readonly pricing: (Priced['pricing'] & { readonly originalLineItems: readonly { readonly amount: number }[] }) | null;
}

/** A line of a receipt, by its number, in the receipt’s own currency. */
export function lineAmount({ lineItems, pricing }: PricedLines, n: number): OwnAmount {
  const own = pricing?.originalLineItems[n];
  return own ? { amount: own.amount, currency: pricing.currency } : { amount: lineItems[n]!.priceUsd, currency: 'USD' };
}

/** A part of a receipt in US dollars, from an amount in the receipt’s own currency. */
export const usdOf = ({ totalUsd, pricing }: Priced, amount: number): number =>
  pricing ? part(amount, totalUsd, pricing.originalTotal) : amount;

/** A part of a receipt, its total by default, as text in the receipt’s own currency. */
export function ownText(receipt: Priced, usd?: number): string {
  const { amount, currency } = ownAmount(receipt, usd);
  return moneyText(amount, currency);
}
