import type Big from 'big.js';

/** The least that counts of any receipt, and of a receipt's total: one cent, and one part in a hundred. */
const LEAST_CENTS = 1;
const PART = 100;

/**
 * Whether what has arrived for a receipt is dust: less than a cent, or less than 1 % of its total. Dust costs its
 * sender nothing, so it changes no status, stops no clock, holds no stock and names no buyer. Nothing at all is dust as
 * well.
 *
 * @param receivedUsd the sum of all that arrived, in US dollars, as exact as it is weighed
 */
export const isDust = (receivedUsd: Big, totalCents: number): boolean =>
  receivedUsd.times(100 * PART).lt(Math.max(LEAST_CENTS * PART, totalCents));
