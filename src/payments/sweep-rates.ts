import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** A payment that is found late has its block's time; so long a watcher may have been away. */
export const RATES_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** So many rows go at a time, so that no statement holds locks for long. */
const BATCH = 5_000;

/** The rate that held at the first moment that still counts is older than it, and stays. */
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
 * Deletes the exchange rates that no payment can need any more: those before the rate of 90 days ago, or before that of the oldest transfer that still
 * waits to be assigned. Answers how many. For a worker's timer.
 */
export async function sweepRates({ sql, clock }: Pick<Deps, 'sql' | 'clock'>): Promise<number> {
  for (let total = 0; ; ) {
    const [row] = await sql.rows<{ count: number }>(SWEEP, [clock() - RATES_KEPT_MS]);
    total += row!.count;
    if (row!.count < BATCH) return total;
  }
}
