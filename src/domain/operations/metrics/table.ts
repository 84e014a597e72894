/**
 * Where a metric comes from. `counted`: this process counts it. `process`: read from the memory or the disk of this
 * process at each scrape. `database` and `chain`: the same in every process; read at most every few seconds.
 */
export type MetricSource = 'counted' | 'process' | 'database' | 'chain';

interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Names of labels. Their values come from code or configuration, never from callers. */
  readonly labels: readonly string[];
  readonly source: MetricSource;
  /** Upper bounds of a histogram's buckets, in seconds. */
  readonly buckets?: readonly number[];
}

const counter = (help: string, ...labels: string[]) => ({ type: 'counter', help, labels, source: 'counted' }) as const;
const histogram = (buckets: readonly number[], help: string, ...labels: string[]) =>
  ({ type: 'histogram', help, labels, source: 'counted', buckets }) as const;
const gauge = (source: MetricSource, help: string, ...labels: string[]) =>
  ({ type: 'gauge', help, labels, source }) as const;

const REQUEST_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const STATEMENT_S = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5];
const OUTGOING_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30];

/** Statuses, queues and the like are counted up to this number, so that a scrape stays cheap on large tables. */
export const COUNTED_MAX = 10_000;
const UP_TO = `counted up to ${COUNTED_MAX.toLocaleString('en')}`;

/** Every metric of the service by its name. The metrics of the process and its event loop are prom-client's. */
export const METRICS = {
  quittance_http_request_duration_seconds: histogram(
    REQUEST_S,
    'Answered requests by route and outcome (2xx to 5xx), and how long they took.',
    'method',
    'route',
    'outcome',
  ),
  quittance_graphql_operations_total: counter(
    'GraphQL operations by type, first root field and outcome (ok, error).',
    'type',
    'field',
    'outcome',
  ),
  quittance_graphql_points_total: counter('Points of cost of these operations.', 'type', 'field'),
  quittance_database_statement_duration_seconds: histogram(STATEMENT_S, 'Prepared statements, with their queueing.'),
  quittance_database_statements_total: counter(
    'Prepared statements by name and outcome (ok, error).',
    'statement',
    'outcome',
  ),
  quittance_database_statement_seconds_total: counter('Time spent waiting for these statements.', 'statement'),
  quittance_database_pool_connections: gauge(
    'process',
    'Connections of the pool for transactions: open, idle, and callers that wait for one.',
    'state',
  ),
  quittance_database_up: gauge('database', 'Whether the statement behind the metrics of the database succeeded.'),
  quittance_database_probe_seconds: gauge('database', 'How long the last such statement took.'),
  quittance_database_bytes: gauge('database', 'The size of the database.'),
  quittance_database_grown_bytes: gauge(
    'database',
    'How much it has grown on this UTC day, since a newcomer first stored something.',
  ),
  quittance_newcomer_storage_limit_bytes: gauge(
    'process',
    'The growth on a day from which newcomers store nothing more (NEWCOMER_STORAGE_MB_PER_DAY); no value without a limit.',
  ),
  quittance_database_replica_lag_bytes: gauge(
    'database',
    'The log that the slowest streaming replica has not replayed.',
  ),
  quittance_degraded_seconds_total: counter('For how long this process could not reach the database, in all.'),
  quittance_bus_messages_total: counter('Messages of the bus that carries live events.', 'direction'),
  quittance_bus_up: gauge('process', 'Whether the bus delivers messages between processes.'),
  quittance_live_connections: gauge('process', 'Open websockets, event streams and exports of this process.', 'kind'),
  quittance_events_held_seconds: gauge(
    'database',
    'For how long one open transaction of the PostgreSQL server has held back newer events; 0 without one.',
  ),
  quittance_queue_jobs: gauge('database', 'Jobs that could run now and wait for a worker.', 'queue'),
  quittance_queue_oldest_seconds: gauge('database', 'For how long the oldest of them waits.', 'queue'),
  quittance_webhook_attempt_duration_seconds: histogram(
    OUTGOING_S,
    'Attempts to deliver webhooks by kind of event, target (receipt, endpoint) and outcome.',
    'kind',
    'target',
    'outcome',
  ),
  quittance_webhook_endpoints: gauge(
    'database',
    'Endpoints of merchants: enabled, disabled, and failing now.',
    'state',
  ),
  quittance_webhook_endpoint_failing_seconds: gauge(
    'database',
    'For how long an enabled endpoint has failed, at most.',
  ),
  quittance_chain_head_block: gauge('chain', 'The newest block; no value while no endpoint answers.', 'chain'),
  quittance_chain_up: gauge('chain', 'Whether an RPC endpoint of the chain answers.', 'chain'),
  quittance_watcher_up: gauge(
    'chain',
    'Whether payments are seen, as `/readyz` says; no value while no split is watched.',
    'chain',
  ),
  quittance_watcher_scanned_block: gauge('database', 'The last block that was read.', 'chain'),
  quittance_watcher_confirmed_block: gauge('database', 'The last block whose payments are confirmed.', 'chain'),
  quittance_watcher_age_seconds: gauge('database', 'How long ago the watcher last advanced.', 'chain'),
  quittance_rpc_call_duration_seconds: histogram(
    OUTGOING_S,
    'RPC calls by endpoint and outcome: ok, answer (an error that is an answer, such as a revert), failed.',
    'endpoint',
    'outcome',
  ),
  quittance_rpc_calls_total: counter('RPC calls by endpoint, method and outcome.', 'endpoint', 'method', 'outcome'),
  quittance_unmatched_transfers: gauge('database', `Transfers that pay no receipt and wait for a merchant, ${UP_TO}.`),
  quittance_unmatched_tokens: gauge('database', 'Their sum by chain and token, in whole tokens.', 'chain', 'token'),
  quittance_receipts: gauge(
    'database',
    `Receipts by state, ${UP_TO} each. \`open\`: they wait for money and expire; the others lack confirmations, a rest or a release.`,
    'status',
  ),
  quittance_receipt_oldest_seconds: gauge(
    'database',
    'The age of the oldest of them: since its payment; for `open`, since the creation of the next to expire.',
    'status',
  ),
  quittance_receipt_moves_total: counter('Changes of receipts by their new state.', 'status'),
  quittance_wallet_balance_coins: gauge(
    'chain',
    'Native coins of a wallet that pays for transactions.',
    'chain',
    'role',
  ),
  quittance_wallet_low: gauge(
    'chain',
    'Whether it cannot pay for ten more transactions at the current price.',
    'chain',
    'role',
  ),
  quittance_gas_spent_coins_total: counter('Native coins spent for gas by this process, by wallet.', 'chain', 'role'),
  quittance_uncollected_usd: gauge(
    'database',
    `US dollars at the addresses of receipts that have their confirmations and are not collected; payments are ${UP_TO}.`,
    'chain',
  ),
  quittance_collections_overdue: gauge(
    'process',
    'Addresses whose collection has been worth its cost for longer than a day, in the process that collects.',
    'chain',
  ),
  quittance_collections_without_effect_total: counter(
    'Addresses that held their money after their collection was mined.',
    'chain',
  ),
  quittance_charges_total: counter('Charges of subscriptions: succeeded, failed, declined.', 'outcome'),
  quittance_journal_bytes: gauge('process', 'Orders that were taken while the database was away and are not booked.'),
  quittance_journal_oldest_seconds: gauge('process', 'The age of the oldest of them; 0 without one.'),
  quittance_journal_quarantined_orders: gauge(
    'process',
    'Acknowledged orders that could not be booked and wait for a decision.',
  ),
  quittance_rate_age_seconds: gauge('process', 'The age of an exchange rate that expires.', 'currency'),
  quittance_rate_max_age_seconds: gauge(
    'process',
    'The age from which new prices in the currency are refused (FX_MAX_AGE_S).',
    'currency',
  ),
  quittance_disk_free_bytes: gauge('process', 'Free space of the file system of DATA_DIR.'),
  quittance_disk_size_bytes: gauge('process', 'Size of the file system of DATA_DIR.'),
  quittance_certificate_end_seconds: gauge(
    'process',
    'The time until a certificate expires: of TLS_CERT_FILE (`file`), or what answers at BASE_URL (`base_url`).',
    'source',
  ),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
