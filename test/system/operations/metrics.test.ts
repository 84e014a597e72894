import { afterAll, expect, test } from 'vitest';
import { startTestChain } from '../../../src/base/chain/test/anvil.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../../src/base/core/local-chains.ts';
import { rpcCalls, statements } from '../../../src/base/core/observed.ts';
import { definedQueries } from '../../../src/base/platform/postgres/query.ts';
import { METRICS } from '../../../src/domain/operations/metrics/table.ts';
import { QUEUES } from '../../../src/domain/operations/operators/queues.ts';
import { RECEIPT } from '../../../src/domain/sales/receipts/lifecycle.ts';
import { EVENT_KINDS, RECEIPT_WEBHOOK } from '../../../src/domain/webhooks/events/kinds.ts';
import { schema } from '../../../src/doors/http/server/schema.ts';
import { openPaidShop } from '../../contract/paid-shop.ts';
import { ask } from '../../graphql/ask.ts';
import { openReceiver } from '../../support/receiver.ts';
import { startTestServer } from '../../support/server.ts';
import { figureOf, readSeries, scrape } from './scrape.ts';

const second = await startTestChain([], SLOW_CHAIN_ID);
afterAll(() => second.stop());
const { server, merchant, session, mineUntil } = await openPaidShop({
  METRICS_PORT: '0',
  CHAIN_ID: String(LOCAL_CHAIN_ID),
  CHAINS: JSON.stringify([{ chainId: SLOW_CHAIN_ID, rpcUrl: second.rpcUrl, confirmations: 1 }]),
});

const figures = () => scrape(server.metricsUrl as string);

async function createReceipt(id: string, webhookUrl: string): Promise<void> {
  await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id, lineItems: [{ label: 'Shoes', priceUsd: 10 }], webhookUrl },
  });
}

/** The values that a label may have. */
const ALLOWED: Readonly<Record<string, RegExp | ReadonlySet<string>>> = {
  method: /^[A-Z]{3,7}$|^(eth|net|web3|anvil|evm)_\w+$/,
  route: /^(none|\*|\/[\w/.:*-]*)$/,
  outcome: new Set('1xx 2xx 3xx 4xx 5xx ok error answer failed delivered succeeded declined'.split(' ')),
  type: new Set(['query', 'mutation', 'subscription']),
  field: new Set([
    '__typename',
    '__schema',
    '__type',
    ...[schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    ),
  ]),
  state: new Set(['open', 'idle', 'waiting', 'enabled', 'disabled', 'failing']),
  direction: new Set(['sent', 'received']),
  kind: new Set(['websocket', 'event_stream', 'export', RECEIPT_WEBHOOK, 'other', ...Object.keys(EVENT_KINDS)]),
  target: new Set(['receipt', 'endpoint']),
  queue: new Set(QUEUES),
  chain: /^\d+$/,
  endpoint: /^[\w.:-]+$/,
  token: /^[A-Z]{2,12}$/,
  status: new Set([...RECEIPT.statuses, 'open']),
  role: new Set(['settlement', 'spender']),
  currency: /^[A-Z]{3,12}$/,
  source: new Set(['file', 'base_url']),
  le: /^(\+Inf|[\d.e-]+)$/,
};

test('every series of a loaded server has labels from code or configuration, and none names a merchant or an id', async () => {
  const receiver = await openReceiver();
  const ids = ['load-1', 'load-2', 'load-3'];
  for (const id of ids) {
    await createReceipt(id, receiver.url);
    const variables = { id };
    await ask(server, session, 'query Named_by_client($id: ID!) { receipt(receiptId: $id) { status } }', variables);
    await server.call('GET', `/api/receipts/${id}`, { headers: merchant.auth });
    await server.call('GET', `/portal/${id}?recipient=${merchant.wallet}`);
    const pay = 'mutation($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';
    if (id !== ids[2]) await ask(server, session, pay, variables);
  }
  await server.call('GET', `/api/nothing/${merchant.wallet}`, { headers: merchant.auth });
  const seen = async (name: string, labels: Record<string, string>) => figureOf(await figures(), name, labels) ?? 0;
  await mineUntil(async () => (await seen('quittance_receipt_moves_total', { status: 'completed' })) === 2);
  await expect
    .poll(() => seen('quittance_webhook_attempt_duration_seconds_count', { outcome: 'delivered' }))
    .toBeGreaterThan(0);

  const series = await figures();
  const named = new Set(definedQueries().map(({ name }) => name));
  const faults = series.flatMap(({ name, labels }) =>
    Object.entries(labels).flatMap(([label, value]) => {
      if (!name.startsWith('quittance_')) return [];
      // A batched statement has a name of its own for each size.
      const allowed = label === 'statement' ? named : ALLOWED[label];
      const fits = allowed instanceof RegExp ? allowed.test(value) : (allowed?.has(value) ?? false);
      return fits ? [] : [`${name}{${label}="${value}"}`];
    }),
  );
  expect(faults).toEqual([]);
  const text = JSON.stringify(series).toLowerCase();
  for (const secret of [merchant.wallet, merchant.keyId, merchant.split as string, ...ids, 'named_by_client'])
    expect(text).not.toContain(secret.toLowerCase());
  expect(series.length).toBeLessThan(3_000);
});

test('a loaded server has a value of every metric that its configuration has', async () => {
  const names = new Set((await figures()).map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
  const absent = Object.keys(METRICS).filter((name) => !names.has(name));
  expect(absent).toEqual([
    // No newcomer, no standby, no rate source, no plan, no certificate, and nothing unmatched.
    'quittance_database_grown_bytes',
    'quittance_newcomer_storage_limit_bytes',
    'quittance_database_replica_lag_bytes',
    'quittance_unmatched_tokens',
    'quittance_charges_total',
    'quittance_rate_age_seconds',
    'quittance_rate_max_age_seconds',
    'quittance_certificate_end_seconds',
  ]);
  for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds'])
    expect(
      (await figures()).some((one) => one.name === name),
      name,
    ).toBe(true);
});

test('the figures are those of the database, the chain and the disk', async () => {
  // The last paid receipt may still be in the figures that are reused.
  await expect.poll(async () => figureOf(await figures(), 'quittance_receipts', { status: 'open' })).toBe(1);
  const series = await figures();
  expect(figureOf(series, 'quittance_database_up')).toBe(1);
  for (const chain of [LOCAL_CHAIN_ID, SLOW_CHAIN_ID].map(String)) {
    const head = figureOf(series, 'quittance_chain_head_block', { chain }) as number;
    expect(head - (figureOf(series, 'quittance_watcher_scanned_block', { chain }) as number)).toBeLessThan(100);
    expect(figureOf(series, 'quittance_watcher_up', { chain })).toBe(1);
    expect(figureOf(series, 'quittance_wallet_balance_coins', { chain, role: 'settlement' })).toBeGreaterThan(0);
  }
  const gas = { chain: String(LOCAL_CHAIN_ID), role: 'settlement' };
  expect(figureOf(series, 'quittance_gas_spent_coins_total', gas)).toBeGreaterThan(0);
  expect(figureOf(series, 'quittance_disk_free_bytes')).toBeLessThan(
    figureOf(series, 'quittance_disk_size_bytes') as number,
  );
  expect(figureOf(series, 'quittance_receipt_moves_total', { status: 'paid' })).toBe(2);
  expect(figureOf(series, 'quittance_graphql_operations_total', { field: 'payWithTestWallet', outcome: 'ok' })).toBe(2);
});

test('two scrapes at once read the database once, and the path is /metrics alone', async () => {
  const count = async () =>
    figureOf(await figures(), 'quittance_database_statements_total', { statement: 'metrics-figures' }) ?? 0;
  await count();
  const before = await count();
  await Promise.all([figures(), figures(), figures()]);
  expect((await count()) - before).toBeLessThanOrEqual(1);
  expect((await fetch(new URL('/', server.metricsUrl as string))).status).toBe(404);
});

test('a port that is taken is a fault of the configuration', async () => {
  const taken = new URL(server.metricsUrl as string).port;
  await expect(
    startTestServer({ env: { METRICS_PORT: taken }, databaseUrl: server.deps.settings.databaseUrl }),
  ).rejects.toThrow('METRICS_PORT');
  expect(statements.hasSubscribers && rpcCalls.hasSubscribers).toBe(true);
});

test('a scrape is read as it is written', () => {
  expect(readSeries('# HELP a b\na{b="c\\"d",e="f"} 1.5e3\ng 2\n')).toEqual([
    { name: 'a', labels: { b: 'c"d', e: 'f' }, value: 1500 },
    { name: 'g', labels: {}, value: 2 },
  ]);
});
