import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { caller } from '../support/http.ts';
import { makeDataDir, runQuittance, until } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { measureRate, startLoad } from './load.ts';
import { verdictOn } from './report.ts';
import { lookAtDatabase, type Sample, watchProcess } from './sampler.ts';

/** `npm run long -- soak` sets it. The short form only shows that load and samples work. */
const minutes = process.env.SOAK_MINUTES === undefined ? null : Number(process.env.SOAK_MINUTES);
/** The short form samples at once. */
const SHORT_SAMPLES = 3;
const SHORT_RATE = 10;
const MEASURE_S = 20;
const WARM_MS = 60_000;

test('a server and a worker under load stay as they are', { timeout: 300_000 + (minutes ?? 0) * 70_000 }, async () => {
  const chain = await startTestChain();
  onTestFinished(() => chain.stop());
  const secrets = { JWT_SECRET: 's'.repeat(40) };
  const setup = await startTestServer({ redis: true, env: { RPC_URL: chain.rpcUrl, ...secrets } });
  onTestFinished(() => setup.stop());
  const merchant = await setup.merchant();
  const item = { sku: 'CUP', name: 'Cup', priceUsd: 3, stockQty: -1 };
  await setup.call('POST', '/api/inventory', { headers: merchant.auth, body: item });

  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { databaseUrl, keyEncryptionKey } = setup.deps.settings;
  const start = (...args: string[]) =>
    runQuittance(args, {
      env: {
        ...{ ...secrets, DATABASE_URL: databaseUrl, REDIS_URL: inject('redisUrl'), RPC_URL: chain.rpcUrl },
        ...{ PORT: String(port), DATA_DIR: makeDataDir(), LOG_LEVEL: 'error', RATE_LIMITS: 'off', CONFIRMATIONS: '2' },
        ...{ KEY_ENCRYPTION_KEY: keyEncryptionKey, NODE_OPTIONS: '--inspect=127.0.0.1:0' },
      },
    });
  const programs = [start('serve', '--no-worker'), start('worker')] as const;
  const isUp = () =>
    caller(url)('GET', '/readyz?for=orders').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isUp, { program: programs[0], timeoutMs: 120_000 });
  const [web, worker] = await Promise.all(programs.map(watchProcess));
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();

  const rate = minutes === null ? SHORT_RATE : (await measureRate(url, merchant, MEASURE_S)) / 2;
  const load = await startLoad({ url, setup, merchant, chain, rate });
  const samples: Sample[] = [];
  const began = performance.now();
  const look = async () => {
    const [ofWeb, ofWorker, ofDatabase] = await Promise.all([web!.look(), worker!.look(), lookAtDatabase(database)]);
    const minute = (performance.now() - began) / 60_000;
    samples.push({ minute, requests: load.requests(), web: ofWeb, worker: ofWorker, ...ofDatabase });
  };
  try {
    if (minutes === null) {
      for (let i = 0; i < SHORT_SAMPLES; i++) {
        const before = load.requests();
        await until(() => load.requests() > before + SHORT_RATE);
        await look();
      }
    } else {
      console.log(`${Math.round(rate)} requests per second, half of what was measured`);
      await pause(WARM_MS);
      for (let minute = 0; minute <= minutes && load.faults.length === 0; minute++) {
        await load.calm(look);
        if (minute < minutes) await pause(60_000);
      }
    }
  } finally {
    await load.stop();
    web!.close();
    worker!.close();
    await database.end();
  }
  const verdict = minutes === null ? null : verdictOn(samples);
  if (verdict) console.log(`${verdict.table}\n${JSON.stringify(load.counts)}`);
  expect(load.faults).toEqual([]);
  expect(samples.at(-1)!.requests).toBeGreaterThan(samples[0]!.requests);
  for (const { web: one, worker: other } of samples)
    for (const value of [...Object.values(one), ...Object.values(other)]) expect(value).toBeGreaterThan(0);
  expect(verdict?.exceeded ?? []).toEqual([]);
});
