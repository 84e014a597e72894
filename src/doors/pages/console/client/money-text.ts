import type { Currency } from '../generated/home.ts';
import { locale } from '../shared/words.ts';
import { type NumberKind, numberText } from './typed-number.ts';

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const known =
    formats.get(currency) ??
    new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  formats.set(currency, known);
  return known;
}

/** An amount in major units as the locale of the console writes it. */
export const moneyText = (amount: number, currency = 'USD'): string => formatOf(currency).format(amount);

const TOKENS = new Intl.NumberFormat(locale, { maximumFractionDigits: 18 });

/**
 * An amount of a token in whole tokens, exact, as the locale of the console writes it; the token alone if its decimals
 * are not known any more.
 */
export const tokenText = ({ display, token }: { readonly display: string | null; readonly token: string }): string =>
  display === null ? token : `${TOKENS.format(display as `${number}`)} ${token}`;

/** A number as a reader sees it where it is asked for. */
export const readingText = (value: number, kind: NumberKind, currency?: string): string =>
  kind === 'money' && currency ? moneyText(value, currency) : numberText(value, kind);

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
