import { type Language, localeOf } from '../../../base/core/messages/languages.ts';

/** Amounts and times as the buyer reads them. Exact: cents become a decimal string, never a float. */

/** Integer cents → `$1,234.56` in the given ISO 4217 currency, as a language writes it. */
export function formatCents(cents: number, currency: string, language: Language): string {
  const digits = String(Math.abs(Math.trunc(cents))).padStart(3, '0');
  const decimal = `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
  try {
    const locale = language === 'en' ? 'en-US' : localeOf(language);
    const text = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(decimal);
    // The marks of Arabic would turn `US$` around. An amount has its own direction.
    return text.replaceAll('\u200f', '');
  } catch {
    // Intl does not support this currency.
    return `${decimal} ${currency}`;
  }
}

/** A decimal amount with at least two decimal places: `23.4` → `23.40`. */
export function withCents(display: string): string {
  const [whole = '0', fraction = ''] = display.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Milliseconds left → `14:32`; never below `0:00`. */
export function formatRemaining(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `0x1234567890…cdef` → `0x123456…cdef`, for a hash whose full form is available next to it. */
export function shortHash(hash: string): string {
  return hash.length > 20 ? `${hash.slice(0, 8)}…${hash.slice(-6)}` : hash;
}
