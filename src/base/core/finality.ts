import { z } from 'zod';
import { parseJson } from './json.ts';
import { centsFromText } from './money.ts';

/** The tags of blocks that a chain itself calls safe or final. */
const FINALITY_TAGS = ['safe', 'finalized'] as const;
export type FinalityTag = (typeof FINALITY_TAGS)[number];

/** What a payment's block needs: a number of blocks on top of it, or that the chain's tag has reached it. */
export type Depth = number | FinalityTag;

/** The depth that payments need from an amount on, in US cents. */
interface Tier {
  readonly fromCents: number;
  readonly depth: Depth;
}

/** The depth by amount: from the smallest amount, which is 0, to the largest. A larger amount never needs less. */
export type Finality = readonly [Tier, ...Tier[]];

/** The same depth for all amounts. */
export const sameForAll = (depth: Depth): Finality => [{ fromCents: 0, depth }];

/** The depth that an amount in US cents needs. */
export function depthFor(finality: Finality, cents: number): Depth {
  return finality.reduce((reached, tier) => (tier.fromCents <= cents ? tier : reached)).depth;
}

/** Whether a depth is a block tag of the chain, and not a number of blocks. */
export const isTag = (depth: Depth): depth is FinalityTag => typeof depth !== 'number';

const MAX_BLOCKS = 1_000;
const MAX_CENTS = 1_000_000_000;

const FORM =
  'must be a whole number of blocks from 0 to 1000, safe, finalized, or JSON of these by US dollars that begins with "0"';

const depth = z.union([z.int().min(0).max(MAX_BLOCKS), z.enum(FINALITY_TAGS)]);
const byAmount = z.record(z.string(), depth);

/**
 * Parses `12`, `finalized`, or `{"0": 2, "1000": 12, "10000": "finalized"}`: the depth by US dollars. Throws an error
 * that says what to write.
 */
export function parseFinality(raw: string): Finality {
  const single = depth.safeParse(/^\d+$/.test(raw) ? Number(raw) : raw);
  if (single.success) return sameForAll(single.data);
  const given = byAmount.safeParse(parseJson(raw));
  if (!given.success) throw new Error(FORM);
  const tiers = Object.entries(given.data).map(([usd, depth]): Tier => ({ fromCents: centsOf(usd), depth }));
  tiers.sort((a, b) => a.fromCents - b.fromCents);
  const [first, ...rest] = tiers;
  if (first?.fromCents !== 0) throw new Error('must have an entry "0", the confirmations of the smallest payments');
  for (const [i, tier] of rest.entries()) {
    const below = tiers[i] as Tier;
    const from = tier.fromCents / 100;
    if (tier.fromCents === below.fromCents) throw new Error(`must name the amount ${from} once`);
    if (strengthOf(tier.depth) < strengthOf(below.depth))
      throw new Error(
        `must not ask less for ${from} (${tier.depth}) than for ${below.fromCents / 100} (${below.depth})`,
      );
  }
  return [first, ...rest];
}

function centsOf(usd: string): number {
  const cents = centsFromText(usd);
  if (cents === null || cents < 0 || cents > MAX_CENTS)
    throw new Error(`must have amounts from 0 to 10000000 US dollars with at most two decimals, not "${usd}"`);
  return cents;
}

/** Orders depths: numbers by size, then `safe`, then `finalized`. */
const strengthOf = (depth: Depth): number => (isTag(depth) ? MAX_BLOCKS + 1 + FINALITY_TAGS.indexOf(depth) : depth);
