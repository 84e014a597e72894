import Big from 'big.js';
import type { Token } from '../../../base/chain/token.ts';
import { currencyOf, isAtPar } from '../../../base/chain/tokens.ts';

/** A token's decimals and rate. */
export interface Valued {
  readonly decimals: number;
  /** US dollars per whole token, as decimal text. */
  readonly usdPerUnit: string;
}

/** The most decimals that a person is asked to type. */
const TYPED_DECIMALS = 6;

/**
 * The amount to ask for, in base units: it covers the sum in dollars (decimal text) and is rounded up, so that a person
 * can type it. A token that counts as money of a country has cents. Another one is rounded to the first decimal place
 * that is worth less than a cent, at most the sixth.
 */
export function askedAmount(usd: string, token: Valued & { readonly hasCents: boolean }): bigint {
  let places = token.hasCents ? 2 : 0;
  while (!token.hasCents && places < TYPED_DECIMALS && new Big(token.usdPerUnit).gte(`0.01e${places}`)) places += 1;
  const step = 10n ** BigInt(Math.max(0, token.decimals - places));
  return roundUp(unitsFor(usd, token), step);
}

/** A token at a rate, as `askedAmount` takes it. */
export const atRate = (token: Token, usdPerUnit: string): Valued & { readonly hasCents: boolean } => ({
  decimals: token.decimals,
  usdPerUnit,
  hasCents: isAtPar(token) || currencyOf(token) === 'EUR',
});

const PAR_DECIMALS = 18;

/**
 * The value of a euro of EURC on a receipt in euros, at which the token pays the euro price 1:1; null for other
 * receipts and tokens. The receipt's total in US dollars was fixed when it was created. The value is rounded up, so
 * that the amount is not above the price.
 */
export function euroPar(
  { totalCents, euroCents }: { readonly totalCents: number; readonly euroCents: number | null },
  token: Token,
): string | null {
  if (currencyOf(token) !== 'EUR' || !euroCents) return null;
  return new Big(totalCents).div(euroCents).round(PAR_DECIMALS, Big.roundUp).toFixed();
}

/** The fewest base units that are worth at least this many dollars (decimal text); exact. */
export function unitsFor(usd: string | Big, token: Valued): bigint {
  const { over, under } = unitsOf(usd, token);
  return divideUp(over, under);
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
