import { sql } from 'kysely';
import { boundedCache } from '../core/caches.ts';
import { type KeptName, keptBy } from '../core/kept.ts';
import type { Db } from './db.ts';
import type { Database } from './postgres/database.ts';
import { query } from './postgres/query.ts';

/** When records of one kind were last used, by id. Noting a use costs no statement. */
export interface LastUses {
  /** Notes a use. Times in epoch milliseconds. */
  note(id: string, at: number): void;
  /** Writes what is due, in one statement. Rejects if that fails; nothing is lost then. */
  write(): Promise<void>;
}

/** The uses that one statement writes. */
interface Uses {
  readonly ids: readonly string[];
  readonly times: readonly number[];
}

/** A record is written at most once in this time. */
const USE_WRITTEN_EVERY_MS = 60_000;
const REMEMBERED = 50_000;
const AT_ONCE = 2_000;

/** The tables whose rows have a time of last use. */
type UsedTable = { [Name in keyof Database]: 'lastUsedAt' extends keyof Database[Name] ? Name : never }[keyof Database];

/**
 * The last uses of a table's rows, for each database. A time of use never moves back.
 *
 * @param kept as what they are kept
 * @param name of the statement that writes them
 */
export function lastUsesOf(kept: KeptName, name: string, usedTable: UsedTable): (database: Db) => LastUses {
  // The builder can check the columns of one table only; these are the same in all of them.
  const table = usedTable as 'ApiKey';
  const write = query(name, (db, $: Uses) =>
    db
      // Rows are locked in the order of their ids, so that processes that write the same rows do not deadlock.
      .with(
        (cte) => cte('uses').materialized(),
        (cte) =>
          cte
            .selectFrom(
              sql<{ id: string; at: number }>`unnest(${$.ids}::text[], ${$.times}::int8[])`.as<'u'>(sql`u(id, at)`),
            )
            .innerJoin(`${table} as r`, 'r.id', 'u.id')
            .select(['u.id', 'u.at'])
            .orderBy('u.id')
            .forNoKeyUpdate('r'),
      )
      .updateTable(table)
      .from('uses')
      .set(({ fn }) => ({ lastUsedAt: fn<number>('greatest', [`${table}.lastUsedAt`, 'uses.at']) }))
      .whereRef(`${table}.id`, '=', 'uses.id'),
  );
  return keptBy(kept, (database: Db) => createLastUses((uses) => database.run(write, uses)));
}

function createLastUses(store: (uses: Uses) => Promise<unknown>): LastUses {
  const noted = new Map<string, number>();
  const written = boundedCache<string, number>({ max: REMEMBERED });
  const isDue = ([id, at]: readonly [string, number]) =>
    Math.abs(at - (written.get(id) ?? Number.NEGATIVE_INFINITY)) >= USE_WRITTEN_EVERY_MS;
  return {
    note(id, at) {
      if (noted.size < REMEMBERED || noted.has(id)) noted.set(id, at);
    },
    async write() {
      const due = [...noted].filter(isDue).slice(0, AT_ONCE);
      if (due.length === 0) return;
      await store({ ids: due.map(([id]) => id), times: due.map(([, at]) => at) });
      for (const [id, at] of due) {
        written.set(id, at);
        // A use that was noted meanwhile waits for its turn.
        if (noted.get(id) === at) noted.delete(id);
      }
    },
  };
}
