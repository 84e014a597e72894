import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { METRICS } from '../../../src/domain/operations/metrics/table.ts';
import { checkScenes, promtool, RULES_FILE, type Scene } from './promtool.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

const docs = join(import.meta.dirname, '../../../docs/run');
const rules: readonly Rule[] = parse(readFileSync(RULES_FILE, 'utf8')).groups[0].rules;

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const { panels }: { panels: readonly Panel[] } = JSON.parse(readFileSync(join(docs, 'dashboard.json'), 'utf8'));
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);

/** The same value at every scrape. */
const stays = (value: number) => `${value}+0x80`;
/** A rate of this age, and the age from which it is refused, in seconds. */
const rateOf = (currency: string, age: number, most: number) => ({
  [`quittance_rate_age_seconds{currency="${currency}"}`]: stays(age),
  [`quittance_rate_max_age_seconds{currency="${currency}"}`]: stays(most),
});
/** A counter that grows by so much between two scrapes. */
const grows = (step: number) => `0+${step}x80`;

const UP = 'up{job="quittance",instance="a"}';

type Values = Readonly<Record<string, string>>;
/** By alert: series of a state that is just good enough, and of one that is not. */
const THRESHOLDS: Readonly<Record<string, readonly [good: Values, bad: Values]>> = {
  QuittanceDown: [{ [UP]: stays(1), 'up{job="other",instance="b"}': stays(0) }, { [UP]: stays(0) }],
  QuittanceErrors: [
    {
      'quittance_http_request_duration_seconds_count{outcome="2xx"}': grows(950),
      'quittance_http_request_duration_seconds_count{outcome="5xx"}': grows(49),
    },
    {
      'quittance_http_request_duration_seconds_count{outcome="2xx"}': grows(940),
      'quittance_http_request_duration_seconds_count{outcome="5xx"}': grows(60),
    },
  ],
  QuittanceEventLoopBlocked: [
    { nodejs_eventloop_lag_p99_seconds: stays(0.5) },
    { nodejs_eventloop_lag_p99_seconds: stays(0.51) },
  ],
  QuittanceDatabaseDown: [
    { 'quittance_database_up{instance="a"}': stays(1), 'quittance_database_up{instance="b"}': stays(0) },
    { 'quittance_database_up{instance="a"}': stays(0), 'quittance_database_up{instance="b"}': stays(0) },
  ],
  QuittanceDatabaseSlow: [
    {
      'quittance_database_statement_duration_seconds_bucket{le="0.5"}': grows(995),
      'quittance_database_statement_duration_seconds_bucket{le="1"}': grows(1000),
      'quittance_database_statement_duration_seconds_bucket{le="+Inf"}': grows(1000),
    },
    {
      'quittance_database_statement_duration_seconds_bucket{le="0.5"}': grows(985),
      'quittance_database_statement_duration_seconds_bucket{le="1"}': grows(1000),
      'quittance_database_statement_duration_seconds_bucket{le="+Inf"}': grows(1000),
    },
  ],
  QuittanceEventsHeld: [{ quittance_events_held_seconds: stays(60) }, { quittance_events_held_seconds: stays(61) }],
  QuittanceReplicaLag: [
    { quittance_database_replica_lag_bytes: stays(2 ** 26) },
    { quittance_database_replica_lag_bytes: stays(2 ** 26 + 1) },
  ],
  QuittanceJournalNotReplayed: [
    {
      'quittance_journal_oldest_seconds{instance="a"}': stays(60),
      'quittance_database_up{instance="a"}': stays(1),
      'quittance_journal_oldest_seconds{instance="b"}': stays(600),
      'quittance_database_up{instance="b"}': stays(0),
    },
    { 'quittance_journal_oldest_seconds{instance="a"}': '0+15x80', 'quittance_database_up{instance="a"}': stays(1) },
  ],
  QuittanceOrdersQuarantined: [
    { 'quittance_journal_quarantined_orders{instance="a"}': stays(0) },
    {
      'quittance_journal_quarantined_orders{instance="a"}': stays(0),
      'quittance_journal_quarantined_orders{instance="b"}': stays(1),
    },
  ],
  QuittanceRedisDown: [{ quittance_bus_up: stays(1) }, { quittance_bus_up: stays(0) }],
  QuittanceRpcDown: [
    { 'quittance_chain_up{chain="1"}': stays(1), 'quittance_chain_up{chain="8453"}': stays(1) },
    { 'quittance_chain_up{chain="1"}': stays(1), 'quittance_chain_up{chain="8453"}': stays(0) },
  ],
  QuittanceRpcFailing: [
    {
      'quittance_rpc_calls_total{endpoint="a",outcome="ok"}': grows(80),
      'quittance_rpc_calls_total{endpoint="a",outcome="failed"}': grows(19),
      'quittance_rpc_calls_total{endpoint="a",outcome="answer"}': grows(40),
    },
    {
      'quittance_rpc_calls_total{endpoint="a",outcome="ok"}': grows(100),
      'quittance_rpc_calls_total{endpoint="b",outcome="ok"}': grows(10),
      'quittance_rpc_calls_total{endpoint="b",outcome="failed"}': grows(10),
    },
  ],
  QuittanceWatcherBehind: [
    { 'quittance_watcher_up{chain="1"}': stays(1) },
    { 'quittance_watcher_up{chain="1"}': stays(0) },
  ],
  QuittanceReceiptStuck: [
    {
      'quittance_receipt_oldest_seconds{status="tx_mined"}': stays(3600),
      'quittance_receipt_oldest_seconds{status="open"}': stays(90_000),
    },
    { 'quittance_receipt_oldest_seconds{status="tx_mined"}': stays(3601) },
  ],
  QuittanceGasLow: [
    { 'quittance_wallet_low{chain="1",role="settlement"}': stays(0) },
    { 'quittance_wallet_low{chain="1",role="settlement"}': stays(1) },
  ],
  QuittanceCollectionsOverdue: [
    { 'quittance_collections_overdue{chain="1"}': stays(0) },
    { 'quittance_collections_overdue{chain="1"}': stays(1) },
  ],
  QuittanceCollectionsWithoutEffect: [
    { 'quittance_collections_without_effect_total{chain="1"}': stays(3) },
    { 'quittance_collections_without_effect_total{chain="1"}': grows(1) },
  ],
  QuittanceRatesStale: [
    { ...rateOf('EUR', 87_000, 90_000), ...rateOf('ETH', 3_400, 3_600) },
    { ...rateOf('EUR', 87_000, 90_000), ...rateOf('ETH', 3_500, 3_600) },
  ],
  QuittanceQueueOld: [
    { 'quittance_queue_oldest_seconds{queue="webhooks"}': stays(60) },
    { 'quittance_queue_oldest_seconds{queue="webhooks"}': stays(61) },
  ],
  QuittanceEndpointFailing: [
    { quittance_webhook_endpoint_failing_seconds: stays(3600) },
    { quittance_webhook_endpoint_failing_seconds: stays(3601) },
  ],
  QuittanceDiskNearFull: [
    { quittance_disk_free_bytes: stays(10), quittance_disk_size_bytes: stays(100) },
    { quittance_disk_free_bytes: stays(9), quittance_disk_size_bytes: stays(100) },
  ],
  QuittanceNewcomersStoreTooMuch: [
    { quittance_database_grown_bytes: stays(9), quittance_newcomer_storage_limit_bytes: stays(10) },
    { quittance_database_grown_bytes: stays(10), quittance_newcomer_storage_limit_bytes: stays(10) },
  ],
  QuittanceCertificateEnding: [
    { 'quittance_certificate_end_seconds{source="file"}': stays(14 * 86_400) },
    { 'quittance_certificate_end_seconds{source="file"}': stays(-60) },
  ],
};

/** Seconds of a duration such as `5m`. */
const secondsOf = (duration: string) => Number.parseInt(duration, 10) * (duration.endsWith('m') ? 60 : 1);

test('an alert fires if service discovery finds no process any more', () => {
  checkScenes([{ series: { 'up{job="other"}': stays(1) }, firing: { '1m': [], '3m': ['QuittanceDown'] } }]);
});

test('promtool accepts the rules, and each alert fires beyond its threshold alone, once it has lasted', () => {
  expect(promtool('check', 'rules', RULES_FILE)).toContain(`${rules.length} rules found`);
  expect(Object.keys(THRESHOLDS).sort()).toEqual(rules.map(({ alert }) => alert).sort());
  checkScenes(
    rules.flatMap(({ alert, for: lasts }): Scene[] => {
      const [good, bad] = THRESHOLDS[alert]!;
      const soon = alert === 'QuittanceJournalNotReplayed' ? 60 : 0;
      const at = secondsOf(lasts) + soon;
      return [
        { series: { [UP]: stays(1), ...good }, firing: { '20m': [] } },
        { series: { [UP]: stays(1), ...bad }, firing: { [`${at - 15}s`]: [], [`${at + 60}s`]: [alert] } },
      ];
    }),
  );
});

/** The functions and words of PromQL that the expressions use. */
const WORDS = new Set(
  'sum max min count absent by on and or group_left rate increase histogram_quantile topk vector'.split(' '),
);
/** The labels that Prometheus adds. */
const ADDED = ['instance', 'job'];

/** Labels by the names under which series are scraped. */
function scrapedLabels(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>([
    ['up', []],
    ['ALERTS', ['alertname', 'alertstate']],
  ]);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) names.set(name, []);
  registry.clear();
  for (const [name, { type, labels }] of Object.entries(METRICS)) {
    if (type !== 'histogram') names.set(name, labels);
    else for (const end of ['_bucket', '_sum', '_count']) names.set(name + end, [...labels, 'le']);
  }
  return names;
}
const known = scrapedLabels();

/** The labels by which an expression groups, and its faults: unknown metrics, and labels that no metric has. */
function readExpression(expr: string): { readonly grouped: readonly string[]; readonly faults: readonly string[] } {
  const clauses = /\b(?:by|on|group_left) \(([^)]*)\)/g;
  const grouped = [...expr.matchAll(clauses)].flatMap(([, list]) =>
    list!.split(',').flatMap((one) => one.trim() || []),
  );
  const plain = expr
    .replace(clauses, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/"[^"]*"/g, '""');
  const named = [...plain.matchAll(/\b([a-zA-Z_]\w*)(?:\{([^}]*)\})?/g)].filter(([, name]) => !WORDS.has(name!));
  const has = (name: string, label: string) => ADDED.includes(label) || known.get(name)?.includes(label) === true;
  const faults = named.flatMap(([, name, selector = '']) => {
    if (!known.has(name!)) return [`there is no metric ${name}`];
    const labels = [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)""/g)].map(([, label]) => label!);
    return labels.filter((label) => !has(name!, label)).map((label) => `${name} has no label ${label}`);
  });
  const lost = grouped.filter((label) => !named.some(([, name]) => has(name!, label)));
  return { grouped, faults: [...faults, ...lost.map((label) => `no metric has the label ${label}`)] };
}

test('every metric and label of the rules and of the dashboard exists', () => {
  expect(readExpression('sum by (shop) (rate(quittance_charge_total[5m]))').faults).toHaveLength(2);
  expect(readExpression('max by (shop) (quittance_receipts{state="open"})').faults).toHaveLength(2);
  for (const { alert, expr, annotations } of rules) {
    const { grouped, faults } = readExpression(expr);
    expect([alert, faults]).toEqual([alert, []]);
    const shown = [
      ...Object.values(annotations)
        .join()
        .matchAll(/\$labels\.(\w+)/g),
    ].map(([, label]) => label);
    const allowed = / by \(|max\(|min\(|sum\(/.test(expr) ? grouped : ADDED;
    expect([alert, shown.filter((label) => !allowed.includes(label!))]).toEqual([alert, []]);
  }
  for (const { title, expr, legendFormat } of queries) {
    const { grouped, faults } = readExpression(expr);
    expect([title, faults]).toEqual([title, []]);
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
    expect([title, shown.filter((label) => ![...grouped, ...ADDED].includes(label))]).toEqual([title, []]);
  }
});

test('the dashboard shows every metric, in panels that do not overlap, with expressions that Prometheus accepts', () => {
  const shown = queries.map(({ expr }) => expr).join('\n');
  expect(Object.keys(METRICS).filter((name) => !shown.includes(name))).toEqual([]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)}:${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  const folder = mkdtempSync(join(tmpdir(), 'quittance-dashboard-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'panels.json');
  const recorded = queries.map(({ expr }, i) => ({
    record: `panel_${i}`,
    expr: expr.replaceAll('$__rate_interval', '1m'),
  }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }));
  expect(promtool('check', 'rules', file)).toContain(`${queries.length} rules found`);
});

test('each alert says what is wrong and what to do, and links to its part of the runbook', () => {
  const runbook = readFileSync(join(docs, 'runbook.md'), 'utf8');
  const parts = new Map(
    runbook
      .split(/^## (?=Quittance)/m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part]),
  );
  expect([...parts.keys()]).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, labels, annotations } of rules) {
    expect(annotations.runbook_url).toBe(`docs/run/runbook.md#${alert.toLowerCase()}`);
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary.length && annotations.description.length).toBeGreaterThan(20);
    for (const word of ['**Meaning.** ', '**Look at** ', '**Do.** ']) expect(parts.get(alert)).toContain(word);
  }
});
