import Big from 'big.js';

/** A token's decimals and rate. */
export interface Valued {
  readonly decimals: number;
  /** US dollars per whole token, as decimal text. */
  readonly usdPerUnit: string;
}

/**
 * The amounts that can be quoted for a sum in dollars. `base` covers the sum; adding 1 to `tags` steps makes each
 * amount unique. The tags stay below one cent. If all of them are taken, the next cent has as many.
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
}

/** The decimals of quoted amounts: for dollar tokens, and for coins with their own rate. */
const TYPABLE_DECIMALS = 6;
const TYPABLE_COIN_DECIMALS = 8;
/** The minimum number of steps in a cent, if the token's decimals allow it. */
const STEPS_PER_CENT_MIN = 100n;

/**
 * The grid for a sum in dollars (decimal text), rounded up. A token whose decimals cannot divide a cent has no tags.
 */
export function gridFor(usd: string, token: Valued): AmountGrid {
  let step = 10n ** BigInt(Math.max(0, token.decimals - typableDecimals(token)));
  while (step > 1n && unitsFor('0.01', token) < STEPS_PER_CENT_MIN * step) step /= 10n;
  const cent = roundUp(unitsFor('0.01', token), step);
  return { base: roundUp(unitsFor(usd, token), step), step, cent, tags: Number(cent / step) - 1 };
}

/** One amount of the grid: `cents` counts whole cents above the base, `tag` is 1 to `tags`. */
export function amountAt(grid: AmountGrid, cents: number, tag: number): bigint {
  return grid.base + BigInt(cents) * grid.cent + BigInt(tag) * grid.step;
}

/** The fewest base units that are worth at least this many dollars (decimal text); exact. */
export function unitsFor(usd: string | Big, { decimals, usdPerUnit }: Valued): bigint {
  const dollars = fractionOf(new Big(usd));
  const rate = fractionOf(new Big(usdPerUnit));
  if (rate.over <= 0n) throw new Error(`The rate ${usdPerUnit} must be positive`);
  return divideUp(dollars.over * rate.under * 10n ** BigInt(decimals), dollars.under * rate.over);
}

/** The exact value of base units in dollars. */
export function worthOf(baseUnits: bigint, { decimals, usdPerUnit }: Valued): Big {
  // Powers of ten only move the decimal point, so the product is exact.
  return new Big(`${baseUnits}e-${decimals}`).times(usdPerUnit);
}

const typableDecimals = ({ usdPerUnit }: Valued): number =>
  new Big(usdPerUnit).eq(1) ? TYPABLE_DECIMALS : TYPABLE_COIN_DECIMALS;

function fractionOf(value: Big): { over: bigint; under: bigint } {
  const text = value.toFixed();
  const places = text.split('.')[1]?.length ?? 0;
  return { over: BigInt(text.replace('.', '')), under: 10n ** BigInt(places) };
}

const divideUp = (over: bigint, under: bigint): bigint => (over + under - 1n) / under;
const roundUp = (units: bigint, step: bigint): bigint => divideUp(units, step) * step;
