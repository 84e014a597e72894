import Big from 'big.js';
import { refuse } from '../../../base/core/errors.ts';
import { MAX_AMOUNT_CENTS } from '../../../base/core/limits.ts';
import { apportion, roundHalfUp } from '../../../base/core/money.ts';

/** Lines in US cents that add up to their total in US cents. */
export interface Converted {
  readonly lineCents: number[];
  readonly totalCents: number;
}

/**
 * Converts lines from cents of a currency to US cents. The total is their sum, converted and rounded half up once. Each
 * line is rounded toward −∞, and the missing cents go to the largest remainders, so that the lines add up to the total.
 * Throws `invalid_input` for a total above 10,000,000.00 USD.
 */
export function convertLines(nativeCents: readonly number[], usdPerUnit: string): Converted {
  const rate = new Big(usdPerUnit);
  const sum = nativeCents.reduce((all, cents) => all + cents, 0);
  const totalCents = roundHalfUp(rate.times(sum));
  if (totalCents > MAX_AMOUNT_CENTS)
    throw refuse('invalid_input', 'The total must not be above 10000000.00 USD', { reason: 'total_too_large' });
  const lineCents = apportion(
    totalCents,
    nativeCents.map((cents) => rate.times(cents)),
  );
  return { lineCents, totalCents };
}
