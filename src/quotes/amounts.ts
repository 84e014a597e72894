import Big from 'big.js';

/** How a token turns into dollars. */
export interface Valued {
  readonly decimals: number;
  /** US dollars per whole token, as decimal text. */
  readonly usdPerUnit: string;
}

/**
 * The amounts that may be asked for a sum of dollars: `base` covers it, and each tag of 1…`tags` steps on top tells one payment from another. The tags
 * stay below one cent; where all are taken, the next cent has as many again.
 */
export interface AmountGrid {
  /** Base units, a multiple of `step`. */
  readonly base: bigint;
  /** The smallest difference between two amounts, in base units: few enough digits that a person can type them. */
  readonly step: bigint;
  /** One cent in base units, a multiple of `step`. */
  readonly cent: bigint;
  readonly tags: number;
}

/** A dollar token shows this many decimals, a coin with a rate of its own two more. */
const TYPABLE_DECIMALS = 6;
const TYPABLE_COIN_DECIMALS = 8;
/** A cent is cut into this many steps at least, where the token's decimals allow it. */
const STEPS_PER_CENT_MIN = 100n;

/** The grid for a sum in dollars (decimal text), rounded up. A token whose cent cannot be cut has no tags. */
export function gridFor(usd: string, token: Valued): AmountGrid {
  let step = 10n ** BigInt(Math.max(0, token.decimals - typableDecimals(token)));
  while (step > 1n && unitsFor('0.01', token) < STEPS_PER_CENT_MIN * step) step /= 10n;
  const cent = roundUp(unitsFor('0.01', token), step);
  return { base: roundUp(unitsFor(usd, token), step), step, cent, tags: Number(cent / step) - 1 };
}

/** The amount of one place of the grid: `cents` 0 is the first, `tag` is 1…`tags`. */
export function amountAt(grid: AmountGrid, cents: number, tag: number): bigint {
  return grid.base + BigInt(cents) * grid.cent + BigInt(tag) * grid.step;
}

/** Base units that are worth at least this many dollars (decimal text): exact, rounded up to a whole unit. */
export function unitsFor(usd: string | Big, { decimals, usdPerUnit }: Valued): bigint {
  const dollars = fractionOf(new Big(usd));
  const rate = fractionOf(new Big(usdPerUnit));
  if (rate.over <= 0n) throw new Error(`A rate of ${usdPerUnit} is none`);
  return divideUp(dollars.over * rate.under * 10n ** BigInt(decimals), dollars.under * rate.over);
}

/** What base units are worth in dollars, exactly. */
export function worthOf(baseUnits: bigint, { decimals, usdPerUnit }: Valued): Big {
  // Powers of ten only shift the point, so the product stays exact.
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
