import { sql } from 'kysely';
import { fold } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { Conditions } from './conditions.ts';
import type { ReceiptFilter } from './filter.input.ts';
import type { ReceiptOrder } from './order.ts';
import { partPattern } from './parts.ts';
import { type Driver, type PartParameters, ROW, receiptsOfWord } from './sources.ts';
import { amountOf, amountTerm, entryRange, isPrefix, prefixEntry, wholeEntry } from './terms.ts';

/** At most this many candidates are collected and sorted; more are read in the order of the list. */
export const COLLECT_MAX = 2_000;

/** How a search reads its candidates. */
export interface Plan {
  readonly method: 'stream' | 'collect';
  readonly driver: Driver;
}

/** A condition with an index of its own. */
interface Candidate {
  /** Its receipts, if they are few. */
  readonly few: Driver;
  /** Its receipts in the order of their creation; null if there is no such index. */
  readonly many: Driver | null;
  /** Whether `many` has only receipts that meet the condition. */
  readonly isExact: boolean;
}

/** The conditions with an index, those that usually leave the fewest receipts first. */
function candidatesOf(filter: ReceiptFilter, parts: boolean): Candidate[] {
  const { transactionId, buyerEmail, buyerWallet, transactionHash, sku, planId, subscriptionId } = filter;
  const values = [transactionHash, buyerEmail, transactionId, subscriptionId, buyerWallet, planId, sku];
  const isGiven = (...ends: unknown[]) => ends.some((end) => end !== undefined);
  const ifGiven = (given: boolean, ...candidate: Candidate[]) => (given ? candidate : []);
  const indexed = (kind: 'attention' | 'facets'): Candidate => ({ few: { kind }, many: { kind }, isExact: true });
  const named: Candidate = { few: { kind: 'named' }, many: null, isExact: false };
  const ranged = (kind: 'paid' | 'totals'): Candidate => ({ few: { kind }, many: null, isExact: false });
  return [
    ...ifGiven(filter.receiptIds !== undefined, named),
    ...values.filter((value) => value !== undefined).map((value) => entryCandidate(fold(value))),
    ...filter.words.map((word) => wordCandidate(word, parts)),
    ...ifGiven(filter.needsAttention === true, indexed('attention')),
    ...ifGiven(filter.facets !== undefined, indexed('facets')),
    ...ifGiven(isGiven(filter.paidFrom, filter.paidTo), ranged('paid')),
    ...ifGiven(isGiven(filter.totalMinCents, filter.totalMaxCents), ranged('totals')),
  ];
}

function entryCandidate(term: string): Candidate {
  const entry = wholeEntry(term);
  return { few: { kind: 'entries', first: entry, last: entry }, many: { kind: 'entry', entry }, isExact: true };
}

function wordCandidate(word: string, parts: boolean): Candidate {
  if (!isPrefix(word)) return entryCandidate(word);
  const cents = amountOf(word);
  // A receipt of a part, or of an amount, need not have an entry with the beginning.
  if (parts || cents !== null) {
    const amountEntry = cents === null ? null : wholeEntry(amountTerm(cents));
    const pattern = parts ? partPattern(word) : null;
    return { few: { kind: 'parts', ...entryRange(word), pattern, cents, amountEntry }, many: null, isExact: false };
  }
  const entry = prefixEntry(word);
  return {
    few: { kind: 'entries', ...entryRange(word) },
    many: entry === null ? null : { kind: 'entry', entry },
    isExact: false,
  };
}

/**
 * Chooses the candidates of a search. The condition with the fewest receipts is collected, if these are few enough;
 * else the receipts are read in the order of the list, by an index that has this order. So the cost of a page hardly
 * depends on the number of the merchant's receipts.
 *
 * @param options.whole for reading all that matches: also a condition that has such an index is collected, if its
 *   receipts are few
 */
export async function planSearch(
  db: Db,
  filter: ReceiptFilter,
  conditions: Conditions,
  { field }: ReceiptOrder,
  collectMax: number,
  { whole = false } = {},
): Promise<Plan> {
  const candidates = candidatesOf(filter, conditions.parts);
  const [first] = candidates;
  const isCreated = field === 'createdAt';
  // One condition alone has an index in the order of creation.
  if (first?.isExact && first.many && candidates.length === 1 && isCreated && !whole)
    return { method: 'stream', driver: first.many };
  const counts = await Promise.all(candidates.map(({ few }) => countUpTo(db, few, conditions)));
  const least = Math.min(...counts);
  if (least <= collectMax) return { method: 'collect', driver: candidates[counts.indexOf(least)]!.few };
  const ordered = isCreated ? candidates.find(({ many }) => many !== null)?.many : null;
  return { method: 'stream', driver: ordered ?? { kind: 'all' } };
}

interface Range {
  readonly merchant: Wallet;
}

const counted = (rows: ReturnType<typeof sql>) =>
  sql<{ count: number }>`select count(*)::int4 as count from (${rows} limit ${sql.lit(COLLECT_MAX + 1)}) t`;

const ENTRIES = query(
  'receipts-count-entries',
  (_db, $: Range & { first: string; last: string }) =>
    counted(sql`select from receipt_terms where merchant = ${$.merchant} and entry between ${$.first} and ${$.last}`),
  { replica: true, computed: { count: 'int4' } },
);
/** A receipt may be found twice, by a word and by the whole value that contains it. */
const FOUND_MAX = 2 * COLLECT_MAX;
/** A part that so many of the newest receipts have is frequent: an index would read all that have it. */
const [PROBED, FREQUENT] = [400, 20];

const PARTS = query(
  'receipts-count-parts',
  (_db, $: Range & PartParameters) => sql<{ count: number }>`select case when (
      select count(*) from (select merchant, id from receipts where merchant = ${$.merchant}
        order by created_at desc, id desc limit ${sql.lit(PROBED)}) t
      cross join lateral ${ROW}
      where exists (select from unnest(s.terms) term where '=' || term like ${$.pattern})
    ) >= ${sql.lit(FREQUENT)} then ${sql.lit(COLLECT_MAX + 1)} else (
      select case when sum(found) = ${sql.lit(FOUND_MAX)} then ${sql.lit(COLLECT_MAX + 1)} else count(*)::int4 end
        from (select count(*) as found from (${receiptsOfWord($)} limit ${sql.lit(FOUND_MAX)}) t group by id) r
    ) end as count`,
  { replica: true, computed: { count: 'int4' } },
);
const PAID = query(
  'receipts-count-paid',
  (_db, $: Range & Pick<Conditions, 'paidFrom' | 'paidTo'>) =>
    counted(sql`select from receipt_search
      where merchant = ${$.merchant} and paid_at between ${$.paidFrom}::int8 and ${$.paidTo}::int8`),
  { replica: true, computed: { count: 'int4' } },
);
const TOTALS = query(
  'receipts-count-totals',
  (_db, $: Range & Pick<Conditions, 'totalMin' | 'totalMax'>) =>
    counted(sql`select from receipt_search
      where merchant = ${$.merchant} and total_cents between ${$.totalMin}::int8 and ${$.totalMax}::int8`),
  { replica: true, computed: { count: 'int4' } },
);

const FACETS = query(
  'receipts-count-facets',
  (_db, $: Range & Pick<Conditions, 'facets'>) =>
    counted(sql`select from receipt_search where merchant = ${$.merchant} and facet = any(${$.facets}::text[])`),
  { replica: true, computed: { count: 'int4' } },
);
const ATTENTION = query(
  'receipts-count-attention',
  (_db, $: Range) =>
    counted(sql`select from receipt_search
      where merchant = ${$.merchant} and (attention or mined_since is not null)`),
  { replica: true, computed: { count: 'int4' } },
);

/** The number of a driver's candidates, at most one more than may be collected. */
async function countUpTo(statements: Db, driver: Driver, $: Conditions): Promise<number> {
  // There are at most as many as a filter may name.
  if (driver.kind === 'named') return 0;
  const run = () => {
    switch (driver.kind) {
      case 'entries':
        return statements.run(ENTRIES, { ...driver, merchant: $.merchant });
      case 'parts':
        return statements.run(PARTS, { ...driver, merchant: $.merchant });
      case 'paid':
        return statements.run(PAID, $);
      case 'totals':
        return statements.run(TOTALS, $);
      case 'facets':
        return statements.run(FACETS, $);
      default:
        return statements.run(ATTENTION, $);
    }
  };
  const [row] = await run();
  return row!.count;
}
