import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/postgres/database.ts';

/**
 * Deletes the pictures of profiles that are not used: at most `limit` of those that were given before a time, epoch ms,
 * the oldest first. The time is compared once more when a row is locked, so that a picture that is given again
 * meanwhile stays.
 *
 * @param isUnused the condition on the digest of a picture
 */
export const deleteProfileImages = (
  db: Kysely<Database>,
  before: number,
  limit: number,
  isUnused: (digest: Expression<string>) => Expression<SqlBool>,
) =>
  db
    .deleteFrom('Image')
    .where('createdAt', '<', before)
    .where(({ eb, selectFrom }) =>
      eb(
        'digest',
        'in',
        selectFrom('Image as old')
          .select('old.digest')
          .where('old.profileOnly', '=', sql.lit(true))
          .where('old.createdAt', '<', before)
          .where(({ ref }) => isUnused(ref('old.digest')))
          .orderBy('old.createdAt')
          .limit(sql.lit(limit)),
      ),
    )
    .returning('digest');
