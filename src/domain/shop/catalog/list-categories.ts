import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { IN_LETTERS } from './item-filter.ts';

/** More are not offered as a choice. */
const MAX_CATEGORIES = 500;

const CATEGORIES = query('item-categories', (db, $: { merchant: Wallet }) =>
  db
    .selectFrom('Item')
    .select('category')
    .groupBy('category')
    .where('merchant', '=', $.merchant)
    .where('category', 'is not', null)
    .orderBy(({ ref }) => sql`${ref('category')} ${IN_LETTERS}`)
    .limit(MAX_CATEGORIES)
    .$narrowType<{ category: string }>(),
);

/** The categories of a merchant's items, in the order of their names; at most 500. */
export async function listCategories(deps: Pick<Deps, 'sql'>, merchant: Wallet): Promise<string[]> {
  const rows = await deps.sql.run(CATEGORIES, { merchant });
  return rows.map(({ category }) => category);
}
