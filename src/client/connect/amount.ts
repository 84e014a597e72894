/** The currencies of receipts. Both have two decimals. */
export type ConnectCurrency = 'USD' | 'EUR';

/** The currency of a shop, in any letter case. Throws `RangeError` for one that no receipt can have. */
export function currencyOf(code: string): ConnectCurrency {
  const currency = code.toUpperCase();
  if (currency !== 'USD' && currency !== 'EUR') throw new RangeError(`Orders are in USD or EUR, not in ${currency}`);
  return currency;
}

/**
 * The cents of a decimal amount, as in `19.99`. Computed on the digits; further decimals are rounded, half a cent up.
 * Throws `RangeError` for anything else.
 */
export function centsOf(amount: string): number {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new RangeError(`Not an amount of money: ${amount}`);
  const digits = decimals.padEnd(3, '0');
  return Number(whole + digits.slice(0, 2)) + (digits[2]! >= '5' ? 1 : 0);
}

/** Cents as a decimal amount, as in `19.99`. */
export function decimalOf(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
