import { sql } from 'kysely';
import { query } from '../../../base/platform/postgres/query.ts';
import { type Conditions, matches } from './conditions.ts';
import type { FindDeps } from './find-receipts.ts';

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
