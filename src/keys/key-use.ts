import { sql } from 'kysely';
import { weakMemo } from '../core/weak-memo.ts';
import { createLastUses, type Uses } from '../platform/last-uses.ts';
import { query } from '../platform/query.ts';
import type { Sql } from '../platform/sql.ts';

/** Rows are locked in the order of their ids, so that processes that write the same rows do not deadlock. */
const WRITE = query('keys-used', (db, $: Uses) =>
  db
    .with(
      (cte) => cte('uses').materialized(),
      (cte) =>
        cte
          .selectFrom(
            sql<{ id: string; at: number }>`unnest(${$.ids}::text[], ${$.times}::int8[])`.as<'u'>(sql`u(id, at)`),
          )
          .innerJoin('ApiKey as k', 'k.id', 'u.id')
          .select(['u.id', 'u.at'])
          .orderBy('u.id')
          .forNoKeyUpdate('k'),
    )
    .updateTable('ApiKey')
    .from('uses')
    .set(({ fn }) => ({ lastUsedAt: fn<number>('greatest', ['ApiKey.lastUsedAt', 'uses.at']) }))
    .whereRef('ApiKey.id', '=', 'uses.id'),
);

/** When the keys of a database were last used. */
export const keyUses = weakMemo((database: Sql) => createLastUses((uses) => database.run(WRITE, uses)));
