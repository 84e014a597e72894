import Big from 'big.js';

/** A token's decimals and rate. */
export interface Valued {
  readonly decimals: number;
  /** US dollars per whole token, as decimal text. */
  readonly usdPerUnit: string;
}

/**
 * The amounts that can be quoted for a sum in dollars. `base` covers the sum; adding 1 to `tags` steps makes each
 * amount unique. The tags stay below one cent. Each further cent, up to `cents`, has as many. No amount exceeds the sum
 * by more than `excessUsd`.
 */
export interface AmountGrid {
  /** Base units, a multiple of `step`. */
  readonly base: bigint;
  /**
   * The smallest difference between two amounts, in base units. It limits the number of digits, so that a person can
   * type the amount.
   */
  readonly step: bigint;
  /** One cent in base units, a multiple of `step`. */
  readonly cent: bigint;
  readonly tags: number;
  /** The number of cents above the base whose tags can be used, the first included; 0 without tags. */
  readonly cents: number;
}

/** The number of amounts of a grid. */
export const sizeOf = ({ tags, cents }: AmountGrid): number => tags * cents;

/** The usual decimals of quoted amounts: for dollar tokens, and for coins with their own rate. */
const TYPABLE_DECIMALS = 6;
const TYPABLE_COIN_DECIMALS = 8;
/** The minimum number of steps in a cent, if the token's decimals allow it. */
const STEPS_PER_CENT_MIN = 1_000n;

/** The part of a sum that a buyer may be asked for in addition, if it is more than a cent. */
const EXCESS = '0.001';

/** How much more than a sum a buyer may be asked for: a cent or 0.1 %, whichever is larger. In US dollars. */
export function excessUsd(usd: string): Big {
  const share = new Big(usd).times(EXCESS);
  return share.gt('0.01') ? share : new Big('0.01');
}

/**
 * The grid for a sum in dollars (decimal text), rounded up. A token whose decimals cannot divide a cent has no tags.
 */
export function gridFor(usd: string, token: Valued): AmountGrid {
  let step = 10n ** BigInt(Math.max(0, token.decimals - typableDecimals(token)));
  while (step > 1n && unitsFor('0.01', token) < STEPS_PER_CENT_MIN * step) step /= 10n;
  const cent = roundUp(unitsFor('0.01', token), step);
  const base = roundUp(unitsFor(usd, token), step);
  const excess = unitsWithin(new Big(usd).plus(excessUsd(usd)), token) - base;
  const tags = Math.max(0, Math.min(Number(cent / step) - 1, Number(excess / step)));
  return { base, step, cent, tags, cents: tags === 0 ? 0 : 1 + Number((excess - BigInt(tags) * step) / cent) };
}

/** One amount of the grid: `cents` counts whole cents above the base, `tag` is 1 to `tags`. */
export function amountAt(grid: AmountGrid, cents: number, tag: number): bigint {
  return grid.base + BigInt(cents) * grid.cent + BigInt(tag) * grid.step;
}

/** The fewest base units that are worth at least this many dollars (decimal text); exact. */
export function unitsFor(usd: string | Big, token: Valued): bigint {
  const { over, under } = unitsOf(usd, token);
  return divideUp(over, under);
}

/** The most base units that are worth at most this many dollars. */
function unitsWithin(usd: Big, token: Valued): bigint {
  const { over, under } = unitsOf(usd, token);
  return over / under;
}

/** Dollars in base units, as a fraction. */
function unitsOf(usd: string | Big, { decimals, usdPerUnit }: Valued): Fraction {
  const dollars = fractionOf(new Big(usd));
  const rate = fractionOf(new Big(usdPerUnit));
  if (rate.over <= 0n) throw new Error(`The rate ${usdPerUnit} must be positive`);
  return { over: dollars.over * rate.under * 10n ** BigInt(decimals), under: dollars.under * rate.over };
}

/** The exact value of base units in dollars. */
export function worthOf(baseUnits: bigint, { decimals, usdPerUnit }: Valued): Big {
  // Powers of ten only move the decimal point, so the product is exact.
  return new Big(`${baseUnits}e-${decimals}`).times(usdPerUnit);
}

const typableDecimals = ({ usdPerUnit }: Valued): number =>
  new Big(usdPerUnit).eq(1) ? TYPABLE_DECIMALS : TYPABLE_COIN_DECIMALS;

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

function fractionOf(value: Big): Fraction {
  const text = value.toFixed();
  const places = text.split('.')[1]?.length ?? 0;
  return { over: BigInt(text.replace('.', '')), under: 10n ** BigInt(places) };
}

const divideUp = (over: bigint, under: bigint): bigint => (over + under - 1n) / under;
const roundUp = (units: bigint, step: bigint): bigint => divideUp(units, step) * step;
