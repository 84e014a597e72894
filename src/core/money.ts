import Big from 'big.js';

/** The largest amount that anything here may cost, in cents: 10,000,000.00. Named in errors, and far inside the safe integers. */
export const MAX_AMOUNT_CENTS = 1_000_000_000;

const AT_MOST_TWO_DECIMALS = /^-?\d+(?:\.(\d{1,2}))?$/;

/**
 * Reads a JSON number of major units (`19.99`) as cents (`1999`), exactly: through its shortest decimal text, never by multiplying.
 * Null for what is not finite or has more than two decimals. `-0` is 0.
 */
export function centsFromUsd(value: number): number | null {
  return centsFromText(String(value));
}

/** The same for decimal text, such as a query parameter. Null where it is not one. */
export function centsFromText(text: string): number | null {
  const match = AT_MOST_TWO_DECIMALS.exec(text);
  if (!match) return null;
  const decimals = match[1] ?? '';
  const cents = Number(text.replace('.', '') + '0'.repeat(2 - decimals.length));
  return Number.isSafeInteger(cents) ? cents + 0 : null;
}

/** Cents as the JSON number that is shown: `1999` → `19.99`. The division is correctly rounded, so the shortest text is exact. */
export function usdFromCents(cents: number): number {
  assertCents(cents);
  return cents / 100 + 0;
}

/** The nearest whole number; a half goes up (for what is below zero: away from it). */
export function roundHalfUp(exact: Big): number {
  return exact.round(0, Big.roundHalfUp).toNumber() + 0;
}

/** `cents × rate`, rounded half up once. The rate is a decimal: `'0.095'` for 9.5 %. */
export function applyRate(cents: number, rate: string | Big): number {
  assertCents(cents);
  return roundHalfUp(new Big(cents).times(rate));
}

/**
 * Whole cents for exact quotas, so that they add up to `total`: each is floored toward −∞, then the cents that are missing go to the largest
 * remainders, one each, the earlier first among equals. `total` must be the sum of the quotas, rounded.
 */
export function apportion(total: number, quotas: readonly Big[]): number[] {
  const floors = quotas.map(floor);
  const missing = total - floors.reduce((sum, cents) => sum + cents, 0);
  if (!(Number.isSafeInteger(missing) && missing >= 0 && missing <= quotas.length)) {
    throw new Error(`The quotas do not add up to ${total}`);
  }
  const remainders = quotas.map((quota, i) => ({ i, left: quota.minus(floors[i]!) }));
  remainders.sort((a, b) => b.left.cmp(a.left) || a.i - b.i);
  for (const { i } of remainders.slice(0, missing)) floors[i] = floors[i]! + 1;
  return floors;
}

function floor(exact: Big): number {
  const cut = exact.round(0, Big.roundDown);
  return cut.minus(exact.lt(cut) ? 1 : 0).toNumber() + 0;
}

function assertCents(cents: number): void {
  if (!Number.isSafeInteger(cents)) throw new Error(`${cents} is no whole number of cents`);
}
