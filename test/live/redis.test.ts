import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { socketUrl } from '../graphql/ask.ts';
import { busyMs } from '../support/busy.ts';
import { makeReceipt } from '../support/receipt.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { type RedisServer, startRedis } from '../support/services/redis.ts';
import { append, history } from './events.ts';
import { type Reader, startReader } from './reader.ts';

/** A Redis of its own, which these tests cut and kill. */
const folder = mkdtempSync(join(tmpdir(), 'quittance-redis-'));
let redis: RedisServer;
let writer: TestServer;
let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  redis = await startRedis(folder);
  const env = { REDIS_URL: redis.redisUrl };
  // Two servers on one database: what one writes, the other's subscribers hear.
  writer = await startTestServer({ env });
  server = await startTestServer({ env, databaseUrl: writer.deps.settings.databaseUrl });
  merchant = await writer.merchant();
});
afterAll(async () => {
  await server.stop();
  await writer.stop();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

const newReceipt = (of = merchant) => makeReceipt(writer, of);
const read = (after: string | number, receiptId?: string, of = merchant): Reader =>
  startReader({ url: () => socketUrl(server), params: of.auth, after, receiptId });

test('10,000 events while pub/sub connections are cut every 100 ms: clients that resume miss none, hear none twice, and all in order', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => newReceipt()));
  const admin = new Redis(redis.redisUrl);
  const readers = [read('0.0'), read('0.0'), read(0, ids[0]), read(0, ids[1])];
  let killed = 0;
  let turn = 0;
  const cutting = setInterval(async () => {
    killed += Number(await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub'));
    readers[turn++ % readers.length]?.cut();
  }, 100);
  try {
    let written = 0;
    const write = async (id: string) => {
      while (written++ < 10_000) await append(writer.deps.db, writer.deps.bus, merchant.wallet, id);
    };
    await Promise.all(ids.map(write));
    const all = await history(server.deps.db, merchant.wallet);
    const of = (id: string) => all.filter((name) => name.startsWith(`${id}:`));
    const expected = [all, all, of(ids[0] as string), of(ids[1] as string)];
    for (const [i, reader] of readers.entries()) {
      await expect.poll(() => reader.heard.length).toBeGreaterThanOrEqual(expected[i]!.length);
      expect(reader.heard).toEqual(expected[i]);
      expect(reader.connections).toBeGreaterThan(1);
    }
    expect(all.length).toBeGreaterThanOrEqual(10_000);
    expect(killed).toBeGreaterThan(10);
  } finally {
    clearInterval(cutting);
    for (const reader of readers) reader.stop();
    admin.disconnect();
  }
}, 240_000);

test('with Redis hanging, and with Redis dead, events come within two seconds by reading the history', async () => {
  const own = await writer.merchant();
  const id = await newReceipt(own);
  const [stream, one] = [read('0.0', undefined, own), read(0, id, own)];
  await expect.poll(() => [stream.heard.at(-1), one.heard.at(-1)]).toEqual([`${id}:1`, `${id}:1`]);
  const arrives = async () => {
    const name = `${id}:${await append(writer.deps.db, writer.deps.bus, own.wallet, id)}`;
    const begun = performance.now();
    await expect
      .poll(() => stream.heard.includes(name) && one.heard.includes(name), { timeout: 60_000, interval: 20 })
      .toBe(true);
    expect(performance.now() - begun).toBeLessThan(busyMs(2_000));
  };
  const { pid } = redis as { pid: number };
  process.kill(pid, 'SIGSTOP');
  for (let i = 0; i < 4; i++) {
    await arrives();
    await pause(i * 170);
  }
  process.kill(pid, 'SIGCONT');
  await arrives();
  process.kill(pid, 'SIGKILL');
  for (let i = 0; i < 4; i++) {
    await arrives();
    await pause(i * 170);
  }
  expect((await server.call('GET', '/api/receipts', { headers: own.auth })).status).toBe(200);
  for (const reader of [stream, one]) {
    expect(new Set(reader.heard).size).toBe(reader.heard.length);
    expect(reader.connections).toBe(1);
    reader.stop();
  }
}, 240_000);
