import { sql } from 'kysely';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { WAITING } from '../operators/queues.ts';
import { COUNTED_MAX, type MetricName } from './table.ts';

/** One value of a metric. */
export interface Figure {
  readonly name: MetricName;
  /** The value of its label `chain`; null if it has none. */
  readonly chain: string | null;
  /** The value of its other label; null if it has none. */
  readonly label: string | null;
  /** The value of the metric. For `HELD`, the id of the transaction that holds back events; 0 if none does. */
  readonly value: number;
}

/** The metric whose figure is the id of a transaction, from which its duration is measured. */
export const HELD = 'quittance_events_held_seconds' satisfies MetricName;

/** The metric whose figures are base units of a token, from which its US dollars are summed up. */
export const UNCOLLECTED = 'quittance_uncollected_usd' satisfies MetricName;

/** The statuses that a receipt should leave soon; `receipts_in_flight` is an index over them. */
const IN_FLIGHT = ['tx_mined', 'tx_mismatch', 'paid'] as const;

const DAY_MS = 86_400_000;

const upTo = (rows: ReturnType<typeof sql>) =>
  sql`(select count(*) from (${rows} limit ${sql.lit(COUNTED_MAX)}) counted)`;

/** Each status has a part of its own, so that its constant lets the planner use the index. */
const inFlight = (now: unknown) =>
  sql.join(
    IN_FLIGHT.map((status) => {
      const those = sql`from receipts where status = ${sql.lit(status)}`;
      return sql`
        select 'quittance_receipts', null, ${sql.lit(status)}, ${upTo(sql`select 1 ${those}`)}
        union all
        select 'quittance_receipt_oldest_seconds', null, ${sql.lit(status)},
               (${now} - min(transaction_timestamp)) / 1000.0 ${those}`;
    }),
    sql` union all `,
  );

/**
 * Everything that the metrics read of the database, in one statement. Each part reads a partial index, a small table,
 * or at most `COUNTED_MAX` rows.
 */
const FIGURES = query(
  'metrics-figures',
  (_db, $: { chainIds: readonly number[]; now: number }) => {
    const now = sql`${$.now}::int8`;
    const open = sql`from receipts where closed_at is null and expires_at is not null`;
    return sql<Figure>`
      with jobs as ${WAITING},
      cursor as (select * from chain_cursors where chain_id = any(${$.chainIds}::int8[])),
      unmatched as (
        select chain_id, token, amount from transfers
         where receipt_id is null and canonical and unmatched_reason is not null limit ${sql.lit(COUNTED_MAX)}
      ),
      uncollected as (
        select chain_id, token, amount from transfers
         where chain_id = any(${$.chainIds}::int8[]) and canonical and not collected and confirmed_at is not null
         limit ${sql.lit(COUNTED_MAX)}
      ),
      size as (select pg_database_size(current_database()) as bytes),
      endpoints as (select state, failing_since from webhook_endpoints),
      figures(name, chain, label, value) as (
        select 'quittance_queue_jobs', null, name, waiting::float8 from jobs
        union all select 'quittance_queue_oldest_seconds', null, name, "oldestSeconds" from jobs
        union all select 'quittance_watcher_scanned_block', chain_id::text, null, scanned from cursor
        union all select 'quittance_watcher_confirmed_block', chain_id::text, null, confirmed from cursor
        union all select 'quittance_watcher_age_seconds', chain_id::text, null, (${now} - updated_at) / 1000.0
          from cursor
        union all select 'quittance_unmatched_transfers', null, null, (select count(*) from unmatched)
        union all select 'quittance_unmatched_tokens', chain_id::text, token, sum(amount)
          from unmatched group by chain_id, token
        union all select ${sql.lit(UNCOLLECTED)}, chain_id::text, token, sum(amount) from uncollected
          group by chain_id, token
        union all select 'quittance_webhook_endpoints', null, state, count(*) from endpoints group by state
        union all select 'quittance_webhook_endpoints', null, 'failing', count(*) from endpoints
          where state = 'enabled' and failing_since is not null
        union all select 'quittance_webhook_endpoint_failing_seconds', null, null,
          coalesce(max(${now} - failing_since), 0) / 1000.0 from endpoints where state = 'enabled'
        union all ${inFlight(now)}
        union all select 'quittance_receipts', null, 'open', ${upTo(sql`select 1 ${open}`)}
        union all select 'quittance_receipt_oldest_seconds', null, 'open', (${now} - created_at) / 1000.0
          from (select created_at ${open} order by expires_at limit 1) oldest
        union all select 'quittance_database_replica_lag_bytes', null, null,
          max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) from pg_stat_replication having count(replay_lsn) > 0
        union all select 'quittance_database_bytes', null, null, bytes from size
        union all select 'quittance_database_grown_bytes', null, null, size.bytes - d.bytes
          from size, storage_days d where d.day = ${now} / ${sql.lit(DAY_MS)}
        union all select ${sql.lit(HELD)}, null, null, case when xmin < xmax then xmin::text::float8 else 0 end
          from (select pg_snapshot_xmin(now) as xmin, pg_snapshot_xmax(now) as xmax from pg_current_snapshot() now) s
      )
      select name, chain, label, value::float8 as value from figures where value is not null`;
  },
  { computed: { name: 'text', chain: 'text', label: 'text', value: 'float8' }, slow: true },
);

/** Reads the figures. Refuses with `datastore_unavailable`. */
export const readFigures = ({
  db: database,
  chains,
  clock,
}: Pick<Deps, 'db' | 'chains' | 'clock'>): Promise<Figure[]> =>
  database.run(FIGURES, { chainIds: chains.map(({ chainId }) => chainId), now: clock() });

/** Returns for how many seconds the transaction has held back events; 0 for the id 0, which is none. */
export type HoldWatch = (transactionId: number, nowMs: number) => number;

/**
 * Measures for how long one transaction holds back events, from successive readings of its id. PostgreSQL shows when a
 * transaction began only to a role that may see the sessions of others.
 */
export function createHoldWatch(): HoldWatch {
  let seen = { transactionId: 0, sinceMs: 0 };
  return (transactionId, nowMs) => {
    if (transactionId !== seen.transactionId) seen = { transactionId, sinceMs: nowMs };
    return transactionId === 0 ? 0 : (nowMs - seen.sinceMs) / 1_000;
  };
}
