import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { type Query, query } from './postgres/query.ts';
import { createWaker } from './wake.ts';

/** The number of rows that one statement deletes, so that no statement holds locks for long. */
export const SWEEP_BATCH = 5_000;
/** The number of rows that one statement of a walk reads. */
export const WALK_BATCH = 1_000;

/**
 * Runs a statement that deletes at most `SWEEP_BATCH` rows and returns their number as `count`, until no rows are left.
 * Returns the number of deleted rows.
 */
export async function sweep<Parameters extends object>(
  db: Db,
  batch: Query<Parameters, { readonly count: number }>,
  parameters: Parameters,
): Promise<number> {
  for (let total = 0; ; ) {
    const [row] = await db.run(batch, parameters);
    total += row!.count;
    if (row!.count < SWEEP_BATCH) return total;
  }
}

/** The parameters of a walk. */
interface WalkParameters {
  /** The key of the last row that was read; empty texts at the beginning. */
  readonly after: readonly string[];
  /** The time before which finished rows are deleted, epoch ms. */
  readonly before: number;
}

/** The outcome of one statement of a walk. */
interface Walked {
  /** The number of rows that it deleted. */
  readonly count: number;
  /** The key of the last row that it read; null at the end of the table. */
  readonly last: readonly string[] | null;
}

interface WalkOptions {
  readonly table: string;
  /** The columns of the key, all of them texts. */
  readonly key: readonly string[];
  /** Further columns of the read rows that `isDue` needs, as columns of `page`. */
  readonly reads?: readonly string[];
  /** Whether a row `t` is due. */
  readonly isDue: (before: number) => RawBuilder<boolean>;
  /** Further expressions (`, name as (…)`) that see the keys of the deleted rows as `gone`. */
  readonly also?: RawBuilder<unknown>;
  /** The table `t` to delete from, if it is another one than the one that is read. Its columns of the key. */
  readonly from?: { readonly table: string; readonly key: readonly string[] };
}

/**
 * Defines a statement for `walk`: it reads at most `WALK_BATCH` rows in the order of their key, and deletes those that
 * are due.
 */
export function walkQuery(name: string, options: WalkOptions) {
  const { table, key, reads = [], isDue, also = sql``, from = { table, key } } = options;
  const columns = sql.join(key.map((column) => sql.id(column)));
  const downwards = sql.join(key.map((column) => sql`${sql.id(column)} desc`));
  return query(
    name,
    (_db, $: WalkParameters) => sql<Walked>`
      with page as (
        select ${sql.join([...key, ...reads].map((column) => sql.id(column)))} from ${sql.table(table)}
         where (${columns}) > (${sql.join(key.map((_, at) => sql`(${$.after}::text[])[${sql.lit(at + 1)}]`))})
         order by ${columns} limit ${sql.lit(WALK_BATCH)}),
      gone as (
        delete from ${sql.table(from.table)} t using page
         where ${sql.join(
           key.map((column, at) => sql`t.${sql.id(from.key[at]!)} = page.${sql.id(column)}`),
           sql` and `,
         )} and ${isDue($.before)}
        returning ${sql.join(from.key.map((column) => sql`t.${sql.id(column)}`))})${also}
      select (select count(*) from gone) as count,
             (select array[${columns}] from page where (select count(*) from page) = ${sql.lit(WALK_BATCH)}
               order by ${downwards} limit 1) as last`,
    { computed: { count: 'int8', last: 'text[]' }, slow: true },
  );
}

/**
 * Deletes the due rows of a table without an index on their time. It waits between two statements as long as one took,
 * so that the database is idle for half of the time. Ends early once `signal` is aborted. Returns the number of deleted
 * rows.
 */
export async function walk(
  db: Db,
  batch: Query<WalkParameters, Walked>,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  const waker = createWaker();
  let after: readonly string[] | null = ['', '', ''];
  let total = 0;
  while (after !== null && !signal.aborted) {
    const startedMs = performance.now();
    const [walked]: Walked[] = await db.run(batch, { after, before });
    total += walked!.count;
    after = walked!.last;
    if (after !== null) await waker.sleep(performance.now() - startedMs, signal);
  }
  return total;
}

/** A page of a table that is read from end to end: what was found in it, and the key of its last row. */
export interface KeyedPage<Found, Key> {
  readonly found: readonly Found[];
  /** Null at the end of the table. */
  readonly last: Key | null;
}

/**
 * Reads a table from end to end by its key, one bounded statement a page, and handles what is found page by page.
 *
 * @param first the key before the first row
 */
export async function readPages<Found, Key>(
  first: Key,
  read: (after: Key) => Promise<KeyedPage<Found, Key>>,
  handle: (found: readonly Found[]) => Promise<void> | void,
): Promise<void> {
  for (let after: Key | null = first; after !== null; ) {
    const page: KeyedPage<Found, Key> = await read(after);
    if (page.found.length > 0) await handle(page.found);
    after = page.last;
  }
}
