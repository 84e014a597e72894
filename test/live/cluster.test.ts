import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_NEWCOMER_RATE_LIMITS, DEFAULT_RATE_LIMITS } from '../../src/base/platform/config/rate-limits.ts';
import { createRateLimiter } from '../../src/domain/access/gateway/rate-limits.ts';
import type { Standing } from '../../src/domain/access/gateway/rolling-window.ts';
import { socketUrl } from '../graphql/ask.ts';
import { busyMs } from '../support/busy.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { type RedisCluster, startRedisCluster } from '../support/services/redis-cluster.ts';
import { append, history } from './events.ts';
import { type Reader, startReader } from './reader.ts';
import { openEvents } from './sse.ts';

let cluster: RedisCluster;
let one: TestServer;
let two: TestServer;
let merchants: TestMerchant[];
beforeAll(async () => {
  cluster = await startRedisCluster();
  const env = { REDIS_URL: cluster.redisUrl };
  one = await startTestServer({ env });
  two = await startTestServer({ env, databaseUrl: one.deps.settings.databaseUrl });
  merchants = await Promise.all(Array.from({ length: 12 }, () => one.merchant()));
});
afterAll(async () => {
  await two?.stop();
  await one?.stop();
  await cluster?.stop();
});

const readOf = (merchant: TestMerchant, after = '0.0'): Reader =>
  startReader({ url: () => socketUrl(two), params: merchant.auth, after });

test('what one server writes, subscribers of another hear at once over a cluster, whichever node their channel lives on', async () => {
  expect((await one.call('GET', '/readyz')).body.dependencies.redis).toBe('up');
  await expect.poll(() => one.deps.bus.healthy() && two.deps.bus.healthy()).toBe(true);
  const readers = merchants.map((merchant) => readOf(merchant));
  for (const { auth } of merchants) {
    const body = { id: 'c', lineItems: [{ label: 'x', priceUsd: 5 }] };
    await one.call('POST', '/api/receipts', { headers: auth, body });
  }
  for (const reader of readers) await expect.poll(() => reader.heard).toEqual(['c:1']);
  const waits: number[] = [];
  for (const [i, { wallet }] of merchants.entries()) {
    const begun = performance.now();
    await append(one.deps.db, one.deps.bus, wallet, 'c');
    await expect.poll(() => readers[i]?.heard.at(-1), { interval: 5, timeout: 60_000 }).toBe('c:2');
    waits.push(performance.now() - begun);
  }
  // Rung for, not found by looking: that would take up to ten seconds.
  expect(Math.max(...waits)).toBeLessThan(busyMs(900));
  for (const reader of readers) reader.stop();
});

test('presence and rate limits are shared over a cluster', async () => {
  const account = newAccount();
  const session = await one.signIn(account);
  const [{ auth }] = merchants as [TestMerchant];
  const presence = await openEvents<{ livePresence: { kind: string; user: { wallet: string } } }>(
    two,
    auth,
    'subscription { livePresence { kind user { wallet } } }',
  );
  const ask = (query: string) =>
    one.call('POST', '/api/graphql', { headers: { ...session, origin: one.url }, body: { query } });
  await ask('mutation { upsertUser(input: { displayName: "Ada" }) { wallet } }');
  const answer = await ask('mutation { setPresence(live: true, spacePublic: true) { live } }');
  expect(answer.body.data).toEqual({ setPresence: { live: true } });
  expect(await presence.next()).toEqual({
    livePresence: { kind: 'joined', user: { wallet: account.address.toLowerCase() } },
  });
  presence.end();

  const settings = {
    ...{ redisUrl: cluster.redisUrl, rateLimits: DEFAULT_RATE_LIMITS },
    newcomerRateLimits: DEFAULT_NEWCOMER_RATE_LIMITS,
  };
  const limiters = [one, two].map(({ deps }) => createRateLimiter({ ...deps, settings }));
  let round = 0;
  const taken = async () => {
    const name = `cluster-test-${round++}`;
    const standings: Standing[] = [];
    for (let i = 0; i < 10; i++) standings.push(await limiters[i % 2]!.take(name, 6, 1));
    return standings.filter(({ allowed }) => allowed).length;
  };
  // Until both are connected, each counts by itself.
  await expect.poll(taken).toBe(6);
  for (const limiter of limiters) limiter.close();
});

test('no event is lost when a cluster node dies: subscribers receive all within seconds, in order, once', async () => {
  const readers = merchants.map((merchant) => readOf(merchant));
  for (const reader of readers) await expect.poll(() => reader.heard.length).toBeGreaterThan(1);
  process.kill(cluster.nodes[1]!.pid, 'SIGKILL');
  for (let i = 0; i < 5; i++)
    await Promise.all(merchants.map(({ wallet }) => append(one.deps.db, one.deps.bus, wallet, 'c')));
  const begun = performance.now();
  for (const [i, { wallet }] of merchants.entries()) {
    const all = await history(one.deps.db, wallet);
    await expect.poll(() => readers[i]?.heard).toEqual(all);
  }
  expect(performance.now() - begun).toBeLessThan(busyMs(4_000));
  for (const reader of readers) reader.stop();
});
