import Big from 'big.js';
import { refuse } from '../../../base/core/errors.ts';
import { MAX_AMOUNT_CENTS } from '../../../base/core/limits.ts';
import { applyRate } from '../../../base/core/money.ts';
import { BPS_TOTAL } from '../../../base/core/shares.ts';
import { convertLines } from '../../shop/fx/convert.ts';
import type { ShopConfig } from '../../shop/merchants/shop.ts';

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

/** What the prices of a shop contain. */
export type PriceRule = Pick<ShopConfig, 'feeBorneBy' | 'pricesIncludeTax'>;

/**
 * Prices an order. Tax is the rate (decimal text, 0 to 1) of the taxable lines; the fee is `feeBps` of subtotal and
 * tax. Each is rounded half up once. Where the prices contain tax, or tax and fee, these are taken out of the lines.
 * Refuses a line or a total above 10,000,000.00 with `invalid_input`.
 */
export function priceOrder<Line extends Unpriced>(
  order: { readonly lines: readonly Line[]; readonly rate: string; readonly feeBps: number } & Partial<PriceRule>,
): PricedOrder<Line> {
  const lines = order.lines.map((line, i) => ({ ...line, priceCents: extend(line, i) }));
  const feeInside = order.feeBorneBy === 'shop';
  const priced = feeInside || order.pricesIncludeTax ? takenOut(lines, order, feeInside) : addedTo(lines, order);
  if (priced.totalCents > MAX_AMOUNT_CENTS)
    throw refuse('invalid_input', 'The total must not be above 10000000.00', { reason: 'total_too_large' });
  return priced;
}

interface Rates {
  readonly rate: string;
  readonly feeBps: number;
}

type Extended<Line> = Line & { readonly priceCents: number };

function addedTo<Line extends Unpriced>(lines: Extended<Line>[], { rate, feeBps }: Rates): PricedOrder<Line> {
  const subtotalCents = sum(lines);
  const taxCents = applyRate(sum(lines.filter((line) => line.taxable)), rate);
  const feeCents = applyRate(subtotalCents + taxCents, new Big(feeBps).div(BPS_TOTAL));
  return { lines, subtotalCents, taxCents, feeCents, totalCents: subtotalCents + taxCents + feeCents };
}

/**
 * The same for prices that contain the tax and, with `feeInside`, the fee. The tax is a part of what the lines have
 * without the fee; net lines share the rest by largest remainder, in the order of lines.
 */
function takenOut<Line extends Unpriced>(
  lines: Extended<Line>[],
  { rate, feeBps }: Rates,
  feeInside: boolean,
): PricedOrder<Line> {
  const typed = sum(lines);
  if (typed === 0) return { lines, subtotalCents: 0, taxCents: 0, feeCents: 0, totalCents: 0 };
  const bps = BigInt(feeBps);
  const all = BigInt(typed);
  const fee = ratio(all * bps, BigInt(BPS_TOTAL) + (feeInside ? bps : 0n));
  const rest = feeInside ? all - fee : all;
  const { numerator, denominator } = fractionOf(rate);
  // A line with tax is `denominator` parts net and `numerator` parts tax.
  const whole = numerator + denominator;
  const taxable = BigInt(sum(lines.filter((line) => line.taxable)));
  const tax = ratio(taxable * rest * numerator, all * whole);
  const net = shareOut(
    rest - tax,
    lines.map(({ priceCents, taxable }) => BigInt(priceCents) * rest * (taxable ? denominator : whole)),
    all * whole,
  );
  return {
    lines: lines.map((line, i) => ({ ...line, priceCents: net[i]! })),
    subtotalCents: Number(rest - tax),
    taxCents: Number(tax),
    feeCents: Number(fee),
    totalCents: Number(rest + fee),
  };
}

/** `a / b`, rounded half up; neither is negative. */
const ratio = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b);

/** Decimal text as a fraction. */
function fractionOf(decimal: string): { numerator: bigint; denominator: bigint } {
  const [whole = '', decimals = ''] = new Big(decimal).toFixed().split('.');
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) };
}

/**
 * Divides `total` by largest remainder among quotas with one denominator. `total` is their sum, rounded to either side.
 */
function shareOut(total: bigint, numerators: readonly bigint[], denominator: bigint): number[] {
  const shares = numerators.map((numerator) => numerator / denominator);
  const left = total - shares.reduce((all, share) => all + share, 0n);
  const order = numerators.map((numerator, i) => ({ i, remainder: numerator % denominator }));
  order.sort((a, b) => (a.remainder === b.remainder ? a.i - b.i : a.remainder > b.remainder ? -1 : 1));
  for (const { i } of order.slice(0, Number(left))) shares[i]! += 1n;
  return shares.map(Number);
}

function extend({ unitCents, qty }: Unpriced, i: number): number {
  if (!(Number.isSafeInteger(unitCents) && unitCents >= 0 && Number.isSafeInteger(qty) && qty >= 1)) {
    throw new Error(`Line ${i} has no price or no quantity: ${unitCents} × ${qty}`);
  }
  // Bounded before it is summed, so that every sum stays within the safe integers.
  const cents = unitCents * qty;
  if (cents > MAX_AMOUNT_CENTS) {
    const field = `items[${i}].qty`;
    throw refuse('invalid_input', `${field} makes the line cost more than 10000000.00`, {
      field,
      reason: 'total_too_large',
    });
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
