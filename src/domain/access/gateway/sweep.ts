import { sql } from 'kysely';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { SWEEP_BATCH, sweep } from '../../../base/platform/sweep.ts';

const sweepExpired = (name: string, table: 'LoginNonce' | 'Session') =>
  query(
    name,
    (db, $: { until: number }) =>
      db
        .with('deleted', (cte) =>
          cte
            .deleteFrom(table)
            .where(({ selectFrom }) => {
              const expired = selectFrom(table).select(sql`ctid`.as('ctid')).where('expiresAt', '<=', $.until);
              return sql<boolean>`ctid in ${expired.limit(SWEEP_BATCH)}`;
            })
            .returning('expiresAt'),
        )
        .selectFrom('deleted')
        .select((eb) => eb.fn.countAll<number>().as('count')),
    { computed: { count: 'int8' } },
  );
const NONCES = sweepExpired('sweep-login-nonces', 'LoginNonce');
const SESSIONS = sweepExpired('sweep-sessions', 'Session');

/** Deletes the login challenges that have expired. Returns their number. */
export const sweepNonces = (db: Db, now: number): Promise<number> => sweep(db, NONCES, { until: now });

/** Deletes the sessions that expired before a time, epoch ms. Returns their number. */
export const sweepSessions = (db: Db, before: number): Promise<number> => sweep(db, SESSIONS, { until: before });
