import type { Currency } from '../generated/home.ts';
import { moneyText } from './money-text.ts';

export interface Amount {
  readonly currency: Currency;
  readonly amount: number;
}

/** The sums by currency, that of the shop first if it is given; zero in it, or in US dollars, if there is nothing. */
export function sumsOf(parts: readonly Amount[], own: Currency = 'USD'): readonly Amount[] {
  const cents = new Map([[own, 0]]);
  for (const { currency, amount } of parts) cents.set(currency, (cents.get(currency) ?? 0) + Math.round(amount * 100));
  const sums = [...cents].filter(([, sum]) => sum !== 0).map(([currency, sum]) => ({ currency, amount: sum / 100 }));
  return sums.length > 0 ? sums : [{ currency: own, amount: 0 }];
}

/** Amounts of several currencies, side by side. */
export const sumText = (amounts: readonly Amount[]): string =>
  amounts.map(({ amount, currency }) => moneyText(amount, currency)).join(' + ');
