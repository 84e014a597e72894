import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import pg from 'pg';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, inject, onTestFinished, test } from 'vitest';
import { work } from '../../../src/app/app.ts';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import { createSender } from '../../../src/base/chain/sender.ts';
import { startTestChain, type TestChain } from '../../../src/base/chain/test/anvil.ts';
import { setPriceTransaction, testPriceFeeds } from '../../../src/base/chain/test-price-feed.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { WEBHOOK_QUEUE } from '../../../src/domain/webhooks/delivery/queue.ts';
import { ask } from '../../graphql/ask.ts';
import { createDatabase } from '../../support/database.ts';
import { makeDataDir, until } from '../../support/program.ts';
import { openRelay } from '../../support/relay.ts';
import { startTestServer } from '../../support/server.ts';
import { makeAuthority } from '../../support/services/openssl.ts';
import { mayMount, onSmallDisk } from '../../support/small-disk.ts';
import { sceneOf, scrapeNow } from './firing.ts';
import { checkScenes, RULES_FILE, type Scene } from './promtool.ts';
import { figureOf } from './scrape.ts';

/** Serves a certificate that ends in two days, as a proxy in front of the server does; its address. */
async function openProxy(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-alerts-'));
  const { certFile, keyFile } = makeAuthority(folder, 'alerts').issue('localhost');
  const proxy = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
  proxy.on('tlsClientError', () => {});
  const port = await findFreePort();
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return `https://localhost:${port}`;
}

const ruleNames = (): string[] =>
  [...readFileSync(RULES_FILE, 'utf8').matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name as string);

/** A shop with everything that can break behind a relay. */
async function open() {
  const chain = await startTestChain();
  onTestFinished(() => chain.stop());
  const { databaseUrl, drop } = await createDatabase();
  onTestFinished(drop);
  const [rpc, database, redis] = await Promise.all([
    openRelay(chain.rpcUrl),
    openRelay(databaseUrl),
    openRelay(inject('redisUrl')),
  ]);
  const admin = new pg.Pool({ connectionString: databaseUrl });
  const server = await startTestServer({
    // With the time limits of tests: on a busy machine the lock below is held for longer than production waits.
    databaseUrl: Object.assign(new URL(database.url), { search: new URL(databaseUrl).search }).href,
    env: {
      ...{ METRICS_PORT: '0', RPC_URL: rpc.url, REDIS_URL: redis.url, CONFIRMATIONS: '1000' },
      ...{ FX_SOURCE: 'chainlink', FX_MAX_AGE_S: '1200', BASE_URL: await openProxy() },
    },
  });
  const worker = await work(server.deps);
  const running = new Map([
    ['worker', worker.stop],
    ['server', server.stop],
  ]);
  async function stop(name: string): Promise<void> {
    const end = running.get(name);
    running.delete(name);
    await end?.();
  }
  onTestFinished(async () => {
    await admin.end();
    for (const name of running.keys()) await stop(name);
  });
  const now = () => scrapeNow(server.metricsUrl as string);
  /** Scrapes until a figure is as asked. What is read of the chain is reused for ten seconds. */
  const scrapeUntil = (name: string, labels: Readonly<Record<string, string>>, is: (value: number) => boolean) =>
    until(async () => {
      const scraped = await now();
      const value = figureOf(scraped.series, name, labels);
      return value !== undefined && is(value) && scraped;
    });
  /** Two scrapes between which a figure has grown. */
  async function scrapeTwice(name: string, labels: Readonly<Record<string, string>> = {}) {
    const first = await scrapeUntil(name, labels, (value) => value > 0);
    const value = figureOf(first.series, name, labels)!;
    return [first, await scrapeUntil(name, labels, (grown) => grown > value)] as const;
  }
  return { chain, admin, rpc, database, redis, server, stop, now, scrapeUntil, scrapeTwice };
}

/** A feed that stays at its last answer. */
async function stopFeed(chain: TestChain): Promise<void> {
  const { address } = testPriceFeeds.find(({ currency }) => currency === 'EUR')!;
  const sender = createSender(chain.chain, localAccount('deployer').privateKey);
  const { hash } = await sender.send(setPriceTransaction(address, 108_420_000n, Math.floor(Date.now() / 1000)));
  await sender.waitFor(hash!);
}

/** Keeps the process from everything else, as too much work does. */
async function blockEventLoop(): Promise<void> {
  for (let time = 0; time < 5; time++) {
    const end = performance.now() + 700;
    while (performance.now() < end);
    await new Promise(setImmediate);
  }
}

/** The alerts that say nothing about a server that works. */
const WORKING = [
  ...['QuittanceDatabaseDown', 'QuittanceJournalNotReplayed', 'QuittanceRedisDown', 'QuittanceRpcDown'],
  ...['QuittanceWatcherBehind', 'QuittanceReceiptStuck', 'QuittanceGasLow', 'QuittanceQueueOld', 'QuittanceRatesStale'],
  ...['QuittanceEndpointFailing', 'QuittanceReplicaLag', 'QuittanceErrors'],
  ...['QuittanceEventsHeld', 'QuittanceOrdersQuarantined'],
];
/** The alerts that another test fires. */
const FIRED_ELSEWHERE = [
  ...['QuittanceDiskNearFull', 'QuittanceReplicaLag', 'QuittanceEventsHeld'],
  // Their figures are raised in settlement/shares/overdue-collections.test.ts, and their rules in alerts.test.ts.
  ...['QuittanceCollectionsOverdue', 'QuittanceCollectionsWithoutEffect'],
  // Its figures are raised in test/contract/newcomers.test.ts, and its rule in alerts.test.ts.
  'QuittanceNewcomersStoreTooMuch',
];

test('alerts fire for what is broken around a real server, and are silent before', async () => {
  const { chain, admin, rpc, database, redis, server, stop, now, scrapeUntil, scrapeTwice } = await open();
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const item = { sku: 'A', name: 'A', priceUsd: 10 };
  await server.call('POST', '/api/inventory', { headers: merchant.auth, body: item });
  const order = () =>
    server.call('POST', '/api/orders', { headers: merchant.auth, body: { items: [{ sku: 'A', qty: 1 }] } });
  const { body: first } = await order();
  const receiptId: string = first.receipt.receiptId;
  const read = () => server.call('GET', `/api/receipts/${receiptId}`, { headers: merchant.auth });
  await scrapeUntil('quittance_watcher_up', {}, (up) => up === 1);
  await scrapeUntil('quittance_certificate_end_seconds', { source: 'base_url' }, (end) => end > 0);
  const whole = await now();
  const scenes: Scene[] = [sceneOf([whole, whole], ['QuittanceCertificateEnding'], WORKING)];

  // The process has too much work.
  await blockEventLoop();
  const busy = await now();
  scenes.push(sceneOf([busy, busy], ['QuittanceEventLoopBlocked']));

  // No one listens at the endpoint, and the payment stays without confirmations.
  const url = `http://127.0.0.1:${await findFreePort()}`;
  await server.call('POST', '/api/webhooks/endpoints', { headers: session, body: { url, kinds: ['*'] } });
  const pay = 'mutation($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';
  await ask(server, session, pay, { id: receiptId });
  await until(async () => (await read()).body.transactionHash !== null);
  await scrapeUntil('quittance_webhook_endpoint_failing_seconds', {}, (seconds) => seconds > 0);
  await stopFeed(chain);
  await stop('worker');
  await chain.control.mine({ blocks: 150 });
  const address = privateKeyToAddress(server.deps.settings.settlementPrivateKey!);
  await chain.control.setBalance({ address, value: 0n });
  await redis.cut();
  await scrapeUntil('quittance_watcher_up', {}, (up) => up === 0);
  await scrapeUntil('quittance_wallet_low', { role: 'settlement' }, (low) => low === 1);
  scenes.push(
    sceneOf(await scrapeTwice('quittance_queue_oldest_seconds', { queue: WEBHOOK_QUEUE }), [
      ...['QuittanceWatcherBehind', 'QuittanceReceiptStuck', 'QuittanceGasLow', 'QuittanceEndpointFailing'],
      ...['QuittanceQueueOld', 'QuittanceRatesStale', 'QuittanceRedisDown', 'QuittanceCertificateEnding'],
    ]),
  );

  // A transaction that holds a lock, while the chain is away.
  await rpc.cut();
  const before = await scrapeUntil('quittance_chain_up', {}, (up) => up === 0);
  const holder = await admin.connect();
  await holder.query('begin');
  await holder.query('lock table receipts in access exclusive mode');
  const reads = Promise.all(Array.from({ length: 20 }, read));
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and now() - query_start > interval '0.6 s'`;
  await until(async () => (await admin.query(waiting)).rowCount);
  await holder.query('rollback');
  holder.release();
  await reads;
  const failed = { outcome: 'failed' };
  const calls = figureOf(before.series, 'quittance_rpc_calls_total', failed) ?? 0;
  const after = await scrapeUntil('quittance_rpc_calls_total', failed, (now) => now > calls);
  scenes.push(sceneOf([before, after], ['QuittanceRpcDown', 'QuittanceRpcFailing', 'QuittanceDatabaseSlow']));

  // A database that answers, and takes no orders. One of an earlier outage could not be booked.
  const quarantine = join(server.deps.settings.dataDir, 'journal/orders/quarantine.jsonl');
  writeFileSync(quarantine, '{"at":1,"reason":"merchant_missing","entry":{}}\n');
  const { rows } = await admin.query('select quote_ident(current_database()) as name');
  await admin.query(`alter database ${rows[0].name} set default_transaction_read_only = on`);
  await database.cut();
  await database.mend();
  await until(async () => (await order()).body.degraded === true);
  await scrapeUntil('quittance_database_up', {}, (up) => up === 1);
  const waits = await scrapeTwice('quittance_journal_oldest_seconds');
  scenes.push(sceneOf(waits, ['QuittanceJournalNotReplayed', 'QuittanceOrdersQuarantined']));

  await database.cut();
  const down = await scrapeUntil('quittance_database_up', {}, (up) => up === 0);
  expect((await read()).status).toBe(503);
  const quiet = ['QuittanceJournalNotReplayed', 'QuittanceDatabaseSlow'];
  scenes.push(sceneOf([down, await now()], ['QuittanceDatabaseDown', 'QuittanceErrors'], quiet));

  await stop('server');
  const up = await now().then(
    () => 1,
    () => 0,
  );
  const series = { 'up{job="quittance",instance="test"}': `${up}+0x40` };
  scenes.push({ series, firing: { '5m': ['QuittanceDown'] } });
  checkScenes(scenes);
  const fired = scenes.flatMap(({ firing }) => Object.values(firing).flat());
  expect([...new Set([...fired, ...FIRED_ELSEWHERE])].sort()).toEqual(ruleNames().sort());
}, 300_000);

const launcher = join(import.meta.dirname, '../../../src/app/cli/quittance.js');
const sizes = (await mayMount()) ? ['1m'] : [];

test.each(sizes)('an alert fires for a DATA_DIR on a disk of %s that is nearly full', async (size) => {
  const dataDir = makeDataDir();
  const { databaseUrl, drop } = await createDatabase();
  onTestFinished(drop);
  const metricsPort = await findFreePort();
  const command = [process.execPath, launcher, 'worker'];
  const [file, ...args] = onSmallDisk(dataDir, size, command, `head -c 960k /dev/zero > ${dataDir}/filler`);
  const child = spawn(file!, args, {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn', DATA_DIR: dataDir },
      ...{ DATABASE_URL: databaseUrl, RPC_URL: inject('rpcUrl'), METRICS_PORT: String(metricsPort) },
    },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const full = await until(() => scrapeNow(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => null));
  checkScenes([sceneOf([full, full], ['QuittanceDiskNearFull'], ['QuittanceDatabaseDown'])]);
});
