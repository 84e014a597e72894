import Big from 'big.js';
import { refuse } from '../../../base/core/errors.ts';
import { MAX_AMOUNT_CENTS } from '../../../base/core/limits.ts';
import { applyRate } from '../../../base/core/money.ts';
import { BPS_TOTAL } from '../../../base/core/shares.ts';
import { convertLines } from '../../shop/fx/convert.ts';

/** A line before it is priced. */
export interface Unpriced {
  /** In cents of the order's currency; never negative. */
  readonly unitCents: number;
  readonly qty: number;
  readonly taxable: boolean;
}

/** A priced order in cents of one currency. Lines, tax and fee add up to the total. */
export interface PricedOrder<Line> {
  /** Each line with its extended price: unit price × quantity. */
  readonly lines: readonly (Line & { readonly priceCents: number })[];
  readonly subtotalCents: number;
  readonly taxCents: number;
  readonly feeCents: number;
  readonly totalCents: number;
}

/**
 * Prices an order. Tax is the rate (decimal text, 0 to 1) of the taxable lines; the fee is `feeBps` of subtotal and
 * tax. Each is rounded half up once. Refuses a line or a total above 10,000,000.00 with `invalid_input`.
 */
export function priceOrder<Line extends Unpriced>(order: {
  readonly lines: readonly Line[];
  readonly rate: string;
  readonly feeBps: number;
}): PricedOrder<Line> {
  const lines = order.lines.map((line, i) => ({ ...line, priceCents: extend(line, i) }));
  const subtotalCents = sum(lines);
  const taxCents = applyRate(sum(lines.filter((line) => line.taxable)), order.rate);
  const feeCents = applyRate(subtotalCents + taxCents, new Big(order.feeBps).div(BPS_TOTAL));
  const totalCents = subtotalCents + taxCents + feeCents;
  if (totalCents > MAX_AMOUNT_CENTS) throw refuse('invalid_input', 'The total must not be above 10000000.00');
  return { lines, subtotalCents, taxCents, feeCents, totalCents };
}

function extend({ unitCents, qty }: Unpriced, i: number): number {
  if (!(Number.isSafeInteger(unitCents) && unitCents >= 0 && Number.isSafeInteger(qty) && qty >= 1)) {
    throw new Error(`Line ${i} has no price or no quantity: ${unitCents} × ${qty}`);
  }
  // Bounded before it is summed, so that every sum stays within the safe integers.
  const cents = unitCents * qty;
  if (cents > MAX_AMOUNT_CENTS) {
    const field = `items[${i}].qty`;
    throw refuse('invalid_input', `${field} makes the line cost more than 10000000.00`, { field });
  }
  return cents;
}

const sum = (lines: readonly { readonly priceCents: number }[]): number =>
  lines.reduce((all, line) => all + line.priceCents, 0);

/**
 * Converts an order to US cents at `usdPerUnit` (decimal text). The total is converted once and divided among lines,
 * tax and fee, so that they still add up. Refuses a total above 10,000,000.00 USD with `invalid_input`.
 */
export function convertOrder<Line>(priced: PricedOrder<Line>, usdPerUnit: string): PricedOrder<Line> {
  const native = [...priced.lines.map((line) => line.priceCents), priced.taxCents, priced.feeCents];
  const { lineCents, totalCents } = convertLines(native, usdPerUnit);
  const lines = priced.lines.map((line, i) => ({ ...line, priceCents: lineCents[i]! }));
  return { lines, subtotalCents: sum(lines), taxCents: lineCents.at(-2)!, feeCents: lineCents.at(-1)!, totalCents };
}
