import { sql } from 'kysely';
import type { Deps } from '../platform/deps.ts';
import { sweepAnswers } from '../platform/idempotency.ts';
import { query } from '../platform/query.ts';
import { SWEEP_BATCH, sweep } from '../platform/sweep.ts';

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

/**
 * Deletes expired login challenges, sessions and stored responses of Idempotency-Keys. Returns the number of each.
 * Called periodically by a worker.
 */
export async function sweepGateway(
  deps: Pick<Deps, 'sql' | 'clock'>,
): Promise<{ nonces: number; sessions: number; answers: number }> {
  const until = deps.clock();
  return {
    nonces: await sweep(deps, NONCES, { until }),
    sessions: await sweep(deps, SESSIONS, { until }),
    answers: await sweepAnswers(deps),
  };
}
