import Big from 'big.js';

const AT_MOST_TWO_DECIMALS = /^-?\d+(?:\.(\d{1,2}))?$/;

/**
 * Converts a JSON number of major units (`19.99`) exactly to cents (`1999`): by its shortest decimal text, never by
 * multiplication. Null if it is not finite or has more than two decimals. `-0` is 0.
 */
export function centsFromUsd(value: number): number | null {
  return centsFromText(String(value));
}

/**
 * Converts decimal text, such as a query parameter, to cents. Null if it is not a decimal with at most two decimals.
 */
export function centsFromText(text: string): number | null {
  const match = AT_MOST_TWO_DECIMALS.exec(text);
  if (!match) return null;
  const decimals = match[1] ?? '';
  const cents = Number(text.replace('.', '') + '0'.repeat(2 - decimals.length));
  return Number.isSafeInteger(cents) ? cents + 0 : null;
}

/**
 * Converts cents to a JSON number of major units: `1999` → `19.99`. The division is correctly rounded, so the shortest
 * text is exact.
 */
export function usdFromCents(cents: number): number {
  assertCents(cents);
  return cents / 100 + 0;
}

/** Rounds to the nearest whole number. A half is rounded away from zero. */
export function roundHalfUp(exact: Big): number {
  return exact.round(0, Big.roundHalfUp).toNumber() + 0;
}

/** `cents × rate`, rounded half up once. The rate is a decimal: `'0.095'` for 9.5 %. */
export function applyRate(cents: number, rate: string | Big): number {
  assertCents(cents);
  return roundHalfUp(new Big(cents).times(rate));
}

/**
 * Rounds exact quotas to whole cents that add up to `total`. Each quota is rounded toward −∞; the missing cents go to
 * the largest remainders, one each, in order among equals. `total` must be the rounded sum of the quotas.
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
  if (!Number.isSafeInteger(cents)) throw new Error(`${cents} is not a whole number of cents`);
}
