import Big from 'big.js';
import { refuse } from '../core/errors.ts';
import { apportion, MAX_AMOUNT_CENTS, roundHalfUp } from '../core/money.ts';

/** Lines in US cents that add up to their total in US cents. */
export interface Converted {
  readonly lineCents: number[];
  readonly totalCents: number;
}

/**
 * Converts lines of native cents into US cents. The total is their sum, converted and rounded half up once; each line is floored toward −∞, and the cents
 * that are missing go to the largest remainders, so that the lines add up. Refuses a total above 10,000,000.00 USD with `invalid_input`.
 */
export function convertLines(nativeCents: readonly number[], usdPerUnit: string): Converted {
  const rate = new Big(usdPerUnit);
  const sum = nativeCents.reduce((all, cents) => all + cents, 0);
  const totalCents = roundHalfUp(rate.times(sum));
  if (totalCents > MAX_AMOUNT_CENTS) throw refuse('invalid_input', 'The total must not be above 10000000.00 USD');
  const lineCents = apportion(
    totalCents,
    nativeCents.map((cents) => rate.times(cents)),
  );
  return { lineCents, totalCents };
}
