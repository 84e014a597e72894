import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { forgetRates } from '../../shop/fx/rate-history.ts';

const OLDEST_UNMATCHED = query(
  'oldest-unmatched-transfers',
  (db, _: object) =>
    db
      .selectFrom('Transfer')
      .select(['token', (eb) => eb.fn.min<number>('blockTimeMs').as('since')])
      .where('receiptId', 'is', null)
      .where('unmatchedReason', 'is not', null)
      .where('canonical', '=', true)
      .groupBy('token'),
  { computed: { since: 'int8' } },
);

/**
 * Deletes the exchange rates that no payment needs any more: those before the rate at the time `before`, epoch ms, and
 * before the rate at the oldest unmatched transfer. A payment found late is priced at its block's time, and the watcher
 * may have been down. Returns the number of deleted rates.
 */
export async function sweepRates(db: Db, before: number): Promise<number> {
  const unmatched = await db.run(OLDEST_UNMATCHED, {});
  return forgetRates(db, before, new Map(unmatched.map(({ token, since }) => [token, since])));
}
