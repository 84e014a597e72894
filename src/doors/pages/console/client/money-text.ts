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

/** An amount of a token in whole tokens; the token alone if its decimals are not known any more. */
export const tokenText = ({ display, token }: { readonly display: string | null; readonly token: string }): string =>
  display === null ? token : `${display} ${token}`;

/** A number as a reader sees it where it is asked for. */
export const readingText = (value: number, kind: NumberKind, currency?: string): string =>
  kind === 'money' && currency ? moneyText(value, currency) : numberText(value, kind);
