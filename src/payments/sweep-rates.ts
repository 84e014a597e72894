import { forgetRates } from '../fx/rate-history.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';

/**
 * How long rates are kept: a payment found late is priced at its block's time, and the watcher may have been down that
 * long.
 */
export const RATES_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

const OLDEST_UNMATCHED = query(
  'oldest-unmatched-transfers',
  (db, _: object) =>
    db
      .selectFrom('Transfer')
      .select(['token', (eb) => eb.fn.min<number>('blockTimeMs').as('since')])
      .where('receiptId', 'is', null)
      .where('canonical', '=', true)
      .groupBy('token'),
  { computed: { since: 'int8' } },
);

/**
 * Deletes the exchange rates that no payment needs any more: those before the rate of 90 days ago, or before the rate
 * at the oldest unmatched transfer. Returns the number of deleted rates. Called by a worker's timer.
 */
export async function sweepRates(deps: Pick<Deps, 'sql' | 'clock'>): Promise<number> {
  const before = deps.clock() - RATES_KEPT_MS;
  const unmatched = await deps.sql.run(OLDEST_UNMATCHED, {});
  return forgetRates(deps, before, new Map(unmatched.map(({ token, since }) => [token, since])));
}
