import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/**
 * How long rates are kept: a payment found late is priced at its block's time, and the watcher may have been down that
 * long.
 */
export const RATES_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** The number of rows per statement, to hold locks only briefly. */
const BATCH = 5_000;

/** Keeps the newest rate before the first relevant time, because it was valid at that time. */
const SWEEP = statement(
  'payments-sweep-rates',
  `with waiting as materialized (
     select token, min(block_time_ms) as since from transfers where receipt_id is null and canonical group by token
   ), gone as (
     delete from rate_history where ctid in (
       select h.ctid
         from rate_history h left join waiting w on w.token = h.currency
        where h.quoted_at < $1
          and exists (select 1 from rate_history later
                       where later.currency = h.currency and later.quoted_at > h.quoted_at and later.quoted_at <= least($1, w.since))
        limit ${BATCH}
     ) returning 1
   ) select count(*) as count from gone`,
);

/**
 * Deletes the exchange rates that no payment needs any more: those before the rate of 90 days ago, or before the rate
 * at the oldest unmatched transfer. Returns the number of deleted rates. Called by a worker's timer.
 */
export async function sweepRates({ sql, clock }: Pick<Deps, 'sql' | 'clock'>): Promise<number> {
  for (let total = 0; ; ) {
    const [row] = await sql.rows<{ count: number }>(SWEEP, [clock() - RATES_KEPT_MS]);
    total += row!.count;
    if (row!.count < BATCH) return total;
  }
}
