import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { openFaultChain } from '../../faults/chain.ts';
import type { Ordered } from '../../faults/clients/orders.ts';
import { faultsOf } from '../../faults/history.ts';
import { openClients, type Written } from '../../faults/round.ts';
import { Supervised } from '../../faults/supervised.ts';
import { runCommand } from '../../faults/surroundings.ts';
import { openMarket, openShop } from '../../faults/world.ts';
import { busyMs } from '../../support/busy.ts';
import { caller } from '../../support/http.ts';
import { launcher, makeDataDir, until } from '../../support/program.ts';
import { openReceiver } from '../../support/receiver.ts';
import { Dice } from '../../support/seeded.ts';
import { startTestServer } from '../../support/server.ts';
import { startNginx } from '../../support/services/nginx.ts';
import { type NodeFault, startPatroniCluster } from '../../support/services/patroni.ts';
import { startRedisCluster } from '../../support/services/redis-cluster.ts';
import { startStripe } from '../../support/stripe.ts';
import { directlyWritten, writeDirectly } from './direct-writes.ts';

/** `npm run long -- ha` sets it. The short form kills the primary once, of one server and one worker. */
const rounds = Number(process.env.HA_ROUNDS ?? 0);
const isLong = rounds > 0;
const FAULTS: readonly NodeFault[] = ['kill', 'freeze', 'cutOff'];
const [SERVERS, WORKERS] = isLong ? [3, 2] : [1, 1];
const CLIENTS = 3;
const LIMIT = { timeoutMs: 180_000 };
const SECRETS = { JWT_SECRET: 's'.repeat(40), CRON_SECRET: 'c'.repeat(40) };

/** One address for servers on several ports. */
async function balance(ports: readonly number[]): Promise<string> {
  const servers = ports.map((port) => `server 127.0.0.1:${port};`).join(' ');
  const nginx = await startNginx(
    ({ port }) => `
    upstream quittance { ${servers} keepalive 16; }
    server {
      listen 127.0.0.1:${port};
      location / {
        proxy_pass http://quittance;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
      }
    }`,
  );
  return `http://127.0.0.1:${nginx.port}`;
}

const DUPLICATE = '42P04';

/** Whether the database is there. Makes it as soon as HAProxy has found the primary. */
async function createDatabase(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl.replace(/quittance$/, 'postgres') });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('create database quittance');
    return true;
  } catch (error) {
    return (error as pg.DatabaseError).code === DUPLICATE;
  } finally {
    await client.end().catch(() => {});
  }
}

async function openRedis(): Promise<string> {
  if (!isLong) return inject('redisUrl');
  const redis = await startRedisCluster();
  onTestFinished(() => redis.stop());
  return redis.redisUrl;
}

/** Starts the servers and workers as processes. Resolves with the servers' address when all of them are ready. */
async function startProcesses(env: Readonly<Record<string, string>>) {
  const all: Supervised[] = [];
  const ports = await Promise.all(Array.from({ length: SERVERS }, () => findFreePort()));
  const url = isLong ? await balance(ports) : `http://127.0.0.1:${ports[0]}`;
  const run = (args: readonly string[], own: Readonly<Record<string, string>>) => {
    const full = { ...env, BASE_URL: url, DATA_DIR: makeDataDir(), ...own };
    const one = new Supervised(() => runCommand([process.execPath, launcher, ...args], full));
    all.push(one);
    onTestFinished(() => one.end());
  };
  for (const port of ports) run(['serve', '--no-worker'], { PORT: String(port) });
  for (let i = 0; i < WORKERS; i++) run(['worker'], {});
  const isUp = (port: number) =>
    caller(`http://127.0.0.1:${port}`)('GET', '/readyz?for=orders').then(
      ({ status }) => status === 200,
      () => false,
    );
  for (const port of ports) await until(() => isUp(port), LIMIT);
  return { url, errors: () => all.map((one) => one.log()).join('') };
}

/** The cluster, the processes, a shop and its clients. */
async function openScene() {
  const cluster = await startPatroniCluster();
  await until(() => createDatabase(cluster.databaseUrl), LIMIT);
  const chain = await openFaultChain(new Dice(1));
  const stripe = await startStripe();
  onTestFinished(() => stripe.stop());
  const shared = {
    ...{ ...SECRETS, ...stripe.env, CHARGE_SCHEDULE: 'off' },
    ...{ DATABASE_URL: cluster.databaseUrl, REDIS_URL: await openRedis(), RPC_URL: chain.local.rpcUrl },
  };
  const setup = await startTestServer({ databaseUrl: cluster.databaseUrl, env: shared });
  onTestFinished(() => setup.stop());
  const { url, errors } = await startProcesses({
    ...shared,
    ...{ CONFIRMATIONS: '2', LOG_LEVEL: 'error', RATE_LIMITS: 'off' },
    KEY_ENCRYPTION_KEY: setup.deps.settings.keyEncryptionKey as string,
  });
  const market = await openMarket(url, setup, chain, SECRETS.CRON_SECRET);
  return { cluster, market, errors, shop: await openShop(setup), receiver: await openReceiver() };
}

test('whichever way the primary is lost, nothing acknowledged is lost or doubled, and orders are booked again', {
  timeout: 400_000 + rounds * 300_000,
}, async () => {
  const { cluster, market, errors, shop, receiver } = await openScene();
  const written: Written = { orders: [], refunds: [], subscriptions: [] };
  const call = caller(market.url);
  let degraded = 0;
  /** Orders once more. Resolves with whether the order is booked in the database. */
  const books = async () => {
    const reference = `probe-${written.orders.length}`;
    const made: Ordered = { reference, receiptIds: new Set(), payment: null };
    written.orders.push(made);
    const headers = { ...shop.merchant.auth, 'Idempotency-Key': reference };
    // The same as of the clients, who may send it again.
    const body = { items: [{ sku: 'CUP', qty: 1 }], transactionId: reference, webhookUrl: receiver.url };
    const answer = await call('POST', '/api/orders', { headers, body }).catch(() => null);
    if (answer?.status !== 200) return false;
    made.receiptIds.add(answer.body.receipt.receiptId);
    degraded += answer.body.degraded ? 1 : 0;
    return !answer.body.degraded;
  };
  /** What is wrong once everything has had the time to settle. */
  const compare = async (): Promise<string[]> => {
    let found: string[] = ['not compared'];
    const look = async () => {
      await market.chain.local.control.mine({ blocks: 1 });
      found = await faultsOf(market, shop, written, receiver.received).catch((error) => [String(error)]);
      return found.length === 0;
    };
    await until(look, LIMIT).catch(() => {});
    return found;
  };

  for (let round = 0; round < Math.max(1, rounds); round++) {
    const fault = FAULTS[round % FAULTS.length] as NodeFault;
    const before = written.orders.length;
    degraded = 0;
    const clients = openClients(market, shop, written, {
      ...{ name: `${fault}-${round}`, webhookUrl: receiver.url, clients: CLIENTS, dice: new Dice(7_000 + round) },
    });
    const goOn = (steps: number) => {
      const wanted = clients.steps() + steps;
      return until(() => clients.steps() >= wanted, LIMIT).catch((error) => {
        throw new Error(`the clients wait: ${clients.faults.join('\n')}`, { cause: error });
      });
    };
    await goOn(1);
    const primary = await cluster.settled();
    const direct = writeDirectly(cluster.ownUrl(primary), round);
    await until(() => direct.acknowledged.length > 0, LIMIT);
    const begun = performance.now();
    const heal = await cluster.break(primary, fault);
    // The shop is open meanwhile.
    const booking = until(books, LIMIT);
    await cluster.electedBeside(primary);
    const elected = performance.now();
    await booking;
    await until(books, LIMIT);
    const booked = performance.now();
    await goOn(CLIENTS);
    direct.wasRefused();
    await heal();
    await cluster.settled();
    // It was the primary when it was lost; now it is a copy.
    await until(direct.wasRefused, LIMIT);
    await direct.stop();
    const there = await until(() => directlyWritten(cluster.databaseUrl, round).catch(() => null), LIMIT);
    const lost = direct.acknowledged.filter((number) => !there.has(number));
    expect(lost, `writes that ${primary} acknowledged`).toEqual([]);
    await goOn(CLIENTS);
    await clients.close();
    const found = [...(await compare()), ...clients.faults];
    expect(found, `round ${round}: ${fault}\n${found.length > 0 ? errors() : ''}`).toEqual([]);
    if (!isLong) continue;
    const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(1)} s`;
    console.log(
      `round ${round}: ${fault}: elected after ${seconds(begun, elected)}, orders booked ${seconds(elected, booked)} ` +
        `later; ${written.orders.length - before} orders, ${degraded} of them taken without the database`,
    );
    expect(booked - elected).toBeLessThan(busyMs(15_000));
  }
  const paid = written.orders.filter(({ payment }) => payment !== null).length;
  const charged = written.subscriptions.filter(({ isCharged }) => isCharged).length;
  if (isLong)
    console.log(`${rounds} rounds: ${written.orders.length} orders, ${paid} paid, ${charged} charges, nothing found`);
});
