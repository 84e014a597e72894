import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../base/platform/postgres/database.ts';

/** Deletes events that happened before a time, epoch ms: at most `limit`, the oldest first. */
export const deleteEvents = (db: Kysely<Database>, before: number, limit: number) =>
  db
    .deleteFrom('MerchantEvent')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('merchant', 'position'),
        'in',
        selectFrom('MerchantEvent')
          .select(['merchant', 'position'])
          .where('createdAt', '<', before)
          .orderBy('createdAt')
          .limit(sql.lit(limit))
          .$asTuple('merchant', 'position'),
      ),
    )
    .returning(['merchant', 'txid']);
