import { sql } from 'kysely';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';

/** The index by which parts of terms are found. A role that may not create its extensions has none. */
export const PARTS_INDEX = 'receipt_terms_parts';

/** Which entries the index has: whole terms, without ids, wallets and hashes. */
const PART_ENTRY = "entry like '=%' and entry !~ '^=(0x|r-|sub_|plan_)'";
export const IS_PART_ENTRY = sql.raw(PART_ENTRY);

/** What follows the name of the index, as its migration creates it. */
export const PARTS_INDEX_DEFINITION = `on receipt_terms using gin (merchant, entry gin_trgm_ops) where ${PART_ENTRY}`;

/** Whether the index is there and complete. */
export const HAS_PARTS_SQL = `exists (select from pg_index
  where indexrelid = to_regclass('${PARTS_INDEX}')::oid and indisvalid)`;

const HAS_PARTS = query(
  'receipts-has-parts',
  (_db, $: { index: string }) => sql<{ there: boolean }>`select exists (select from pg_index
    where indexrelid = to_regclass(${$.index}::text)::oid and indisvalid) as there`,
  { replica: true, computed: { there: 'bool' } },
);

/** Whether searches find any part of a term, and not only beginnings. */
export async function findsParts(db: Db): Promise<boolean> {
  const [row] = await db.run(HAS_PARTS, { index: PARTS_INDEX });
  return row!.there;
}

/** The pattern of a term that has this part, in which the characters of patterns mean themselves. */
export const partPattern = (word: string): string => `=%${word.replace(/[\\%_]/g, '\\$&')}%`;
