import Big from 'big.js';
import { z } from 'zod';
import { fault, shownAs } from './input.ts';
import { MAX_AMOUNT_CENTS } from './limits.ts';
import { centsFromUsd } from './money.ts';

/** The largest quantity of one order line. */
const MAX_QTY = 100_000;

/** A whole number from `min` to `max`, as a JSON number. A number in quotes is refused. */
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
 * An amount in major units (`19.99`), converted exactly to cents (`1999`). It is a JSON number with at most two
 * decimals, from `minCents` to `maxCents` (default 10,000,000.00).
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

/** The amount of an order line. A discount is negative. */
export const signedAmount = amount(-MAX_AMOUNT_CENTS);

const TAX_RATE_WANTED = 'must be 0, or a number from 0.000001 to 1';

/**
 * A tax rate as a JSON number (`0.095`), converted to decimal text with all of its digits (`8.2 / 100` has sixteen). A
 * rate above 0 and below one millionth is refused as a mistake.
 */
export const taxRate = shownAs(
  z
    .number({ error: TAX_RATE_WANTED })
    .transform((value, ctx) =>
      value === 0 || (value >= 0.000_001 && value <= 1) ? new Big(value).abs().toFixed() : fault(ctx, TAX_RATE_WANTED),
    ),
  { type: 'number', minimum: 0, maximum: 1 },
);

/** `USD` or `EUR` in any letter case, converted to upper case. Spaces around it are no part of it. */
export const currency = shownAs(
  z
    .string({ error: 'must be USD or EUR' })
    .transform((code) => code.trim().toUpperCase())
    .pipe(z.enum(['USD', 'EUR'], { error: 'must be USD or EUR' })),
  { type: 'string', pattern: '^([Uu][Ss][Dd]|[Ee][Uu][Rr])$' },
);

export type Currency = z.output<typeof currency>;
