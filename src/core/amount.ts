import Big from 'big.js';
import { z } from 'zod';
import { fault, shownAs } from './input.ts';
import { centsFromUsd, MAX_AMOUNT_CENTS } from './money.ts';

/** How often one thing may be bought at once. */
export const MAX_QTY = 100_000;

/** A whole number from `min` to `max`; a number in quotes is none. */
export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .int({ error })
    .min(min, { error })
    .max(max, { error })
    .transform((value) => value + 0);
}

/** 1 to 100,000. */
export const qty = wholeNumber(1, MAX_QTY);

/**
 * An amount in major units (`19.99`), read as cents (`1999`), exactly: a JSON number with at most two decimals, from `minCents` to `maxCents`
 * (10,000,000.00).
 */
export function amount(minCents: number, maxCents: number = MAX_AMOUNT_CENTS) {
  const [least, most] = [minCents, maxCents].map((cents) => (cents / 100).toFixed(2));
  const wanted = `must be a number from ${least} to ${most} with at most two decimals`;
  const exact = z.number({ error: wanted }).transform((value, ctx) => {
    const cents = centsFromUsd(value);
    return cents === null || cents < minCents || cents > maxCents ? fault(ctx, wanted) : cents;
  });
  return shownAs(exact, { type: 'number', minimum: minCents / 100, maximum: maxCents / 100 });
}

/** A price: 0 or more. */
export const price = amount(0);

/** A line's amount, which a discount may make negative. */
export const signedAmount = amount(-MAX_AMOUNT_CENTS);

/** A tax rate as a JSON number from 0 to 1 with at most six decimals (`0.095`), read as exact decimal text. */
export const taxRate = shownAs(
  z.number({ error: taxRateWanted() }).transform((value, ctx) => {
    const exact = new Big(value);
    if (exact.lt(0) || exact.gt(1) || !exact.eq(exact.round(6))) return fault(ctx, taxRateWanted());
    return exact.abs().toFixed();
  }),
  { type: 'number', minimum: 0, maximum: 1 },
);

function taxRateWanted(): string {
  return 'must be a number from 0 to 1 with at most six decimals';
}

/** `USD` or `EUR` in any letter case, read as upper-case. */
export const currency = shownAs(
  z
    .string({ error: 'must be USD or EUR' })
    .transform((code) => code.toUpperCase())
    .pipe(z.enum(['USD', 'EUR'], { error: 'must be USD or EUR' })),
  { type: 'string', pattern: '^([Uu][Ss][Dd]|[Ee][Uu][Rr])$' },
);

export type Currency = z.output<typeof currency>;
