import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Listing, PageRequest } from '../../../base/platform/keyset.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { stuckAfterMs } from '../../payments/watching/stuck.ts';
import { type ReceiptRow, readReceipts } from '../../sales/receipts/read.ts';
import { type Conditions, conditionsOf, matches, type StuckTier } from './conditions.ts';
import { countReceipts } from './count.ts';
import type { ReceiptFilter } from './filter.input.ts';
import { boundsOf, type ReceiptOrder } from './order.ts';
import { findsParts } from './parts.ts';
import { COLLECT_MAX, type Plan, planSearch } from './plan.ts';
import { collectQuery, type Found, parametersOf, streamQuery } from './sources.ts';
import { isPrefix } from './terms.ts';

export type FindDeps = Pick<Deps, 'db' | 'chain' | 'clock'>;

/** A search over the receipts of a merchant, which is read page by page. */
export interface Search {
  /** The next matching receipts in the order of reading: their ids and the values that they are ordered by. */
  read(page: PageRequest): Promise<Found[]>;
  count(): Promise<number>;
}

/**
 * A search with a filter, in an order. Every page is planned for itself. Receipts of the last second may be missing or
 * appear in their former state, because the worker follows the history. An order by `paidAt` has only the receipts that
 * were paid.
 *
 * @param collectMax see `COLLECT_MAX`; at most that
 */
export async function openSearch(
  deps: FindDeps,
  merchant: Wallet,
  filter: ReceiptFilter,
  order: ReceiptOrder,
  { collectMax = COLLECT_MAX }: { readonly collectMax?: number } = {},
): Promise<Search> {
  const conditions = await conditionsNow(deps, merchant, filter);
  let planned: Promise<Plan> | null = null;
  const plan = () => (planned ??= planSearch(deps.db, filter, conditions, order, collectMax));
  return {
    async read(page) {
      return readFound(deps, await plan(), { conditions, filter, order, page });
    },
    async count() {
      return countReceipts(deps.db, filter, conditions, await plan(), order);
    },
  };
}

/** The conditions of a filter at this moment. */
export async function conditionsNow(deps: FindDeps, merchant: Wallet, filter: ReceiptFilter): Promise<Conditions> {
  const stuck = filter.needsAttention === undefined ? [] : await stuckTiers(deps);
  const parts = filter.words.some(isPrefix) && (await findsParts(deps.db));
  return conditionsOf(merchant, filter, stuck, parts);
}

/** When payments count as stuck now. Larger amounts may wait longer. */
async function stuckTiers(deps: FindDeps): Promise<StuckTier[]> {
  const limitMs = await stuckAfterMs(deps.db, deps.chain);
  const now = deps.clock();
  return deps.chain.finality.map(({ fromCents }) => ({ fromCents, before: now - limitMs(fromCents) }));
}

interface Reading {
  readonly conditions: Conditions;
  readonly filter: ReceiptFilter;
  readonly order: ReceiptOrder;
  readonly page: PageRequest;
}

function readFound({ db }: FindDeps, plan: Plan, { conditions, filter, order, page }: Reading): Promise<Found[]> {
  const { limit, backward = false } = page;
  const direction = (order.direction === 'asc') !== backward ? 'asc' : 'desc';
  const read = { ...order, direction } as const;
  const select = plan.method === 'stream' ? streamQuery(plan.driver, read) : collectQuery(plan.driver, read);
  const bounds = boundsOf(order, filter, page);
  return db.run(select, { ...conditions, ...bounds, ...parametersOf(plan.driver), limit });
}

/** The receipts that match a filter, as a list that is paged by cursors. */
export function listFound(
  deps: FindDeps,
  merchant: Wallet,
  filter: ReceiptFilter,
  order: ReceiptOrder,
): Listing<ReceiptRow> {
  let opened: Promise<Search> | null = null;
  const search = () => (opened ??= openSearch(deps, merchant, filter, order));
  return {
    scope: { name: `receipts ${order.field} ${order.direction} ${merchant}`, types: ['int8', 'text'] },
    async read(page) {
      const found = await (await search()).read(page);
      const rows = await readReceipts(
        deps.db,
        merchant,
        found.map(({ id }) => id),
      );
      return found.flatMap(({ id, key }) => {
        const row = rows.get(id);
        return row ? [{ row, place: [key, id] }] : [];
      });
    },
    count: async () => (await search()).count(),
  };
}

const MATCHING = query(
  'receipts-matching',
  (_db, $: Conditions & { ids: readonly string[] }) => sql<{ id: string }>`
    select s.id from receipt_search s
     where s.merchant = ${$.merchant} and s.id = any(${$.ids}::text[]) and ${matches($)}`,
  { replica: true, computed: { id: 'text' } },
);

/** Those of some receipts of a merchant that meet all conditions. */
export async function matchingOf(
  { db: statements }: FindDeps,
  conditions: Conditions,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await statements.run(MATCHING, { ...conditions, ids: [...new Set(ids)] });
  return new Set(found.map(({ id }) => id));
}
