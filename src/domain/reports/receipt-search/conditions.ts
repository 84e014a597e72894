import { type RawBuilder, sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { ReceiptFilter } from './filter.input.ts';
import { amountOf, isPrefix } from './terms.ts';

/** The largest number of an int8 that JavaScript holds. */
const MAX_INT = Number.MAX_SAFE_INTEGER;

/** The values of all conditions on a search row. Null and the outermost numbers hold for every row. */
export interface Conditions {
  readonly merchant: Wallet;
  readonly facets: readonly string[] | null;
  readonly createdFrom: number;
  readonly createdTo: number;
  readonly totalMin: number;
  readonly totalMax: number;
  /** Null: also receipts that were not paid. */
  readonly paidFrom: number | null;
  readonly paidTo: number | null;
  readonly reference: string | null;
  readonly email: string | null;
  readonly buyer: string | null;
  readonly subscription: string | null;
  readonly plan: string | null;
  readonly hash: string | null;
  readonly sku: string | null;
  readonly attention: boolean | null;
  readonly receiptIds: readonly string[] | null;
  /** From each of these totals on, a payment that has waited since the time at the same place, or longer, is stuck. */
  readonly stuckCents: readonly number[];
  readonly stuckBefore: readonly number[];
  /** Some term begins with each of these, or has it as a part, or is the amount at the same place; -1: none. */
  readonly prefixes: readonly string[];
  readonly amounts: readonly number[];
  /** Whether parts of terms count, and not only beginnings. */
  readonly parts: boolean;
  /** All of these are terms. */
  readonly wholes: readonly string[];
}

/** When a payment of a total from `fromCents` on counts as stuck: if it has waited since `before`, or longer. */
export interface StuckTier {
  readonly fromCents: number;
  readonly before: number;
}

/**
 * The parameters of a search: a filter with its defaults, and when payments count as stuck. Words of search are divided
 * into beginnings of terms and whole terms.
 */
export function conditionsOf(
  merchant: Wallet,
  filter: ReceiptFilter,
  stuck: readonly StuckTier[],
  parts: boolean,
): Conditions {
  const prefixes = filter.words.filter(isPrefix);
  const isPaidRange = filter.paidFrom !== undefined || filter.paidTo !== undefined;
  return {
    merchant,
    facets: filter.facets ?? null,
    createdFrom: filter.createdFrom ?? 0,
    createdTo: filter.createdTo ?? MAX_INT,
    totalMin: filter.totalMinCents ?? 0,
    totalMax: filter.totalMaxCents ?? MAX_INT,
    paidFrom: isPaidRange ? (filter.paidFrom ?? 0) : null,
    paidTo: isPaidRange ? (filter.paidTo ?? MAX_INT) : null,
    reference: filter.transactionId ?? null,
    email: filter.buyerEmail ?? null,
    buyer: filter.buyerWallet ?? null,
    subscription: filter.subscriptionId ?? null,
    plan: filter.planId ?? null,
    hash: filter.transactionHash ?? null,
    sku: filter.sku ?? null,
    attention: filter.needsAttention ?? null,
    receiptIds: filter.receiptIds ?? null,
    stuckCents: stuck.map(({ fromCents }) => fromCents),
    stuckBefore: stuck.map(({ before }) => before),
    prefixes,
    amounts: prefixes.map((word) => amountOf(word) ?? -1),
    parts,
    wholes: filter.words.filter((word) => !isPrefix(word)),
  };
}

/** Whether a search row needs attention. The first part is the condition of the index. */
const needsAttention = ($: Conditions) => sql`(s.attention or s.mined_since is not null)
  and (s.attention or s.mined_since <= (select tier.before
    from unnest(${$.stuckCents}::int8[], ${$.stuckBefore}::int8[]) tier(cents, before)
    where tier.cents <= s.total_cents order by tier.cents desc limit 1))`;

/**
 * Whether the search row `s` meets all conditions. Every statement contains all of them, so that there are few
 * statements; a condition without a value costs a comparison.
 */
export const matches = ($: Conditions): RawBuilder<boolean> => sql<boolean>`
  (${$.facets}::text[] is null or s.facet = any(${$.facets}::text[]))
  and s.created_at between ${$.createdFrom}::int8 and ${$.createdTo}::int8
  and s.total_cents between ${$.totalMin}::int8 and ${$.totalMax}::int8
  and (${$.paidFrom}::int8 is null or s.paid_at between ${$.paidFrom}::int8 and ${$.paidTo}::int8)
  and (${$.reference}::text is null or s.reference = ${$.reference})
  and (${$.email}::text is null or s.buyer_email = ${$.email})
  and (${$.buyer}::text is null or s.buyer_wallet = ${$.buyer})
  and (${$.subscription}::text is null or s.subscription_id = ${$.subscription})
  and (${$.plan}::text is null or s.plan_id = ${$.plan})
  and (${$.hash}::text is null or ${$.hash} = any(s.hashes))
  and (${$.sku}::text is null or ${$.sku} = any(s.skus))
  and (${$.attention}::bool is null or ${$.attention} = coalesce(${needsAttention($)}, false))
  and (${$.receiptIds}::text[] is null or s.id = any(${$.receiptIds}::text[]))
  and s.terms @> ${$.wholes}::text[]
  and not exists (select from unnest(${$.prefixes}::text[], ${$.amounts}::int8[]) p(word, cents)
    where s.total_cents is distinct from p.cents and not exists (select from unnest(s.terms) term
      where starts_with(term, p.word)
        or p.cents >= 0 and term = to_char(p.cents / 100.0, 'FM999999990.00')
        or ${$.parts}::bool and strpos(term, p.word) > 1 and term !~ '^(0x|r-|sub_|plan_)'))`;
