import fc from 'fast-check';
import { Redis } from 'ioredis';
import { expect, inject, onTestFinished, test } from 'vitest';
import { ANONYMOUS, type Buyer, type Caller, type Developer, type Session } from '../../../base/core/caller.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import {
  DEFAULT_NEWCOMER_RATE_LIMITS,
  DEFAULT_RATE_LIMITS,
  type RateLimits,
} from '../../../base/platform/config/rate-limits.ts';
import { createLog } from '../../../base/platform/log/log.ts';
import { countQuota, createRateLimiter, takeQuota } from './rate-limits.ts';
import { createWindow, WINDOW_MS } from './rolling-window.ts';

let shops = 0;
const newShop = () => `0x${(Date.now() * 1000 + shops++).toString(16).padStart(40, '0')}` as Wallet;
const ip = '192.0.2.1';

const developer = (overrides: Partial<Developer> = {}): Developer => ({
  kind: 'developer',
  merchant: newShop(),
  keyId: 'key_1',
  scopes: new Set(),
  unlimited: false,
  limits: null,
  ...overrides,
});

const sessionFor = (merchant: Wallet | null, wallet: Wallet, sessionId = 'one'): Session => ({
  kind: 'session',
  sessionId,
  wallet,
  merchant,
  role: merchant && 'owner',
  confirmedAt: Number.MAX_SAFE_INTEGER,
  platformAdmin: false,
  csrfProven: true,
});

function house({
  redisUrl = null,
  rateLimits = { ...DEFAULT_RATE_LIMITS, orders: 3 },
  newcomerRateLimits = DEFAULT_NEWCOMER_RATE_LIMITS,
}: {
  redisUrl?: string | null;
  rateLimits?: RateLimits | null;
  newcomerRateLimits?: RateLimits;
} = {}) {
  let now = 1_800_000_000_000;
  const settings = { rateLimits, newcomerRateLimits, redisUrl };
  const limiter = createRateLimiter({ settings, clock: () => now, log: createLog('silent') });
  onTestFinished(() => limiter.close());
  return { limiter, now: () => now, advance: (ms: number) => (now += ms) };
}

/** Resolves once the limiter counts in Redis. */
async function sharing(limiter: ReturnType<typeof house>['limiter']) {
  const redis = new Redis(inject('redisUrl'));
  try {
    for (;;) {
      const merchant = newShop();
      await takeQuota(limiter, { caller: developer({ merchant }), ip }, 'reads');
      if (await redis.exists(`quittance:rate:{merchant:${merchant}:reads}`)) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    redis.disconnect();
  }
}

test.each(['here', 'in Redis'])('a limit applies to any sixty seconds, counted %s', async (where) => {
  const { limiter, now, advance } = house({ redisUrl: where === 'here' ? null : inject('redisUrl') });
  if (where !== 'here') await sharing(limiter);
  const who = { caller: developer(), ip };
  const start = now();
  expect(await takeQuota(limiter, who, 'orders')).toEqual({
    allowed: true,
    limit: 3,
    remaining: 2,
    resetAtMs: start + WINDOW_MS,
  });
  advance(40_000);
  expect(await takeQuota(limiter, who, 'orders', 2)).toMatchObject({ remaining: 0, resetAtMs: start + WINDOW_MS });
  advance(19_999);
  await expect(takeQuota(limiter, who, 'orders')).rejects.toMatchObject({
    code: 'rate_limited',
    status: 429,
    extra: { resetAt: start + WINDOW_MS },
  });
  await expect(takeQuota(limiter, who, 'orders', 2)).rejects.toMatchObject({
    extra: { resetAt: start + 40_000 + WINDOW_MS },
  });
  advance(1);
  expect(await takeQuota(limiter, who, 'orders')).toMatchObject({ remaining: 0 });
  advance(39_999);
  await expect(takeQuota(limiter, who, 'orders')).rejects.toMatchObject({ code: 'rate_limited' });
  advance(1);
  expect(await takeQuota(limiter, who, 'orders')).toMatchObject({ remaining: 1 });
});

const NEAR = '203.0.114.1';
const FAR = '203.0.115.1';
const refusedAt = (limiter: ReturnType<typeof house>['limiter'], caller: Caller, from: string) =>
  expect(takeQuota(limiter, { caller, ip: from }, 'orders')).rejects.toMatchObject({
    code: 'rate_limited',
    extra: { resetAt: expect.any(Number) },
  });

test('no number of merchants and wallets that strangers make uses more than the limit of all strangers', async () => {
  for (const redisUrl of [null, inject('redisUrl')]) {
    const newcomerRateLimits = { ...DEFAULT_NEWCOMER_RATE_LIMITS, orders: 4 };
    const { limiter, advance } = house({ redisUrl, newcomerRateLimits });
    if (redisUrl) await sharing(limiter);
    // Other tests share the windows of Redis.
    const before = await limiter.take('strangers:orders', 4, 1);
    expect(before.allowed).toBe(true);
    const stranger = (ip: string, caller: Caller) => takeQuota(limiter, { caller, ip }, 'orders');
    await stranger(NEAR, developer({ newcomer: true }));
    await stranger(FAR, { ...sessionFor(newShop(), newShop()), newcomer: true });
    // A key with a limit of its own is counted as well.
    expect(await stranger(ip, developer({ newcomer: true, limits: { orders: 50 } }))).toMatchObject({ remaining: 0 });
    for (const caller of [developer({ newcomer: true }), sessionFor(null, newShop())])
      for (const from of [NEAR, FAR, ip]) await refusedAt(limiter, caller, from);
    // The others have what they had.
    for (const caller of [
      developer(),
      sessionFor(newShop(), newShop()),
      developer({ newcomer: true, unlimited: true }),
    ])
      await takeQuota(limiter, { caller, ip: NEAR }, 'orders', caller.kind === 'developer' ? 3 : 1);
    advance(WINDOW_MS);
    await stranger(NEAR, developer({ newcomer: true }));
  }
});

test('newcomers of one public address share its limit with the wallets without a merchant', async () => {
  const { limiter } = house();
  for (let i = 0; i < 20; i++)
    await takeQuota(limiter, { caller: developer({ newcomer: true }), ip: NEAR }, 'orders', 3);
  for (const caller of [developer({ newcomer: true }), sessionFor(null, newShop())])
    await refusedAt(limiter, caller, NEAR);
  await takeQuota(limiter, { caller: developer({ newcomer: true }), ip: FAR }, 'orders');
  await takeQuota(limiter, { caller: developer(), ip: NEAR }, 'orders');
});

test('no number of receipts and plans gives their pages at one public address more than the limit of 100 pages', async () => {
  const { limiter } = house();
  const page = (n: number): Caller =>
    n % 2
      ? { kind: 'buyer', merchant: newShop(), receiptId: 'R' }
      : { kind: 'subscriber', merchant: newShop(), planId: `p${n}` };
  for (let n = 0; n < 100; n++) await takeQuota(limiter, { caller: page(n), ip: NEAR }, 'orders', 3);
  for (const n of [100, 101]) await refusedAt(limiter, page(n), NEAR);
  await takeQuota(limiter, { caller: page(102), ip: FAR }, 'orders');
  await takeQuota(limiter, { caller: page(103), ip }, 'orders');
});

test('two processes share a window through Redis', async () => {
  const one = house({ redisUrl: inject('redisUrl') });
  const two = house({ redisUrl: inject('redisUrl') });
  await sharing(one.limiter);
  await sharing(two.limiter);
  const who = { caller: developer(), ip };
  await takeQuota(one.limiter, who, 'orders', 2);
  expect(await takeQuota(two.limiter, who, 'orders')).toMatchObject({ remaining: 0 });
  await expect(takeQuota(one.limiter, who, 'orders')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('of fifty concurrent requests exactly the limit passes', async () => {
  for (const redisUrl of [null, inject('redisUrl')]) {
    const { limiter } = house({ redisUrl });
    if (redisUrl) await sharing(limiter);
    const who = { caller: developer(), ip };
    const standings = await Promise.all(Array.from({ length: 50 }, () => countQuota(limiter, who, 'orders')));
    expect(standings.filter((standing) => standing?.allowed)).toHaveLength(3);
  }
});

test('without Redis a process counts locally', async () => {
  const { limiter } = house({ redisUrl: 'redis://127.0.0.1:1' });
  const who = { caller: developer(), ip };
  for (let i = 0; i < 3; i++) await takeQuota(limiter, who, 'orders');
  await expect(takeQuota(limiter, who, 'orders')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('categories, merchants and receipts have separate limits', async () => {
  const { limiter } = house({ rateLimits: { ...DEFAULT_RATE_LIMITS, orders: 1, reads: 1 } });
  const caller = developer();
  await takeQuota(limiter, { caller, ip }, 'orders');
  await takeQuota(limiter, { caller, ip }, 'reads');
  await takeQuota(limiter, { caller: developer(), ip }, 'orders');
  const buyer = (receiptId: string): Buyer => ({ kind: 'buyer', merchant: caller.merchant, receiptId });
  await takeQuota(limiter, { caller: buyer('R-1'), ip }, 'reads');
  await takeQuota(limiter, { caller: buyer('R-2'), ip }, 'reads');
  await expect(takeQuota(limiter, { caller: buyer('R-1'), ip }, 'reads')).rejects.toMatchObject({
    code: 'rate_limited',
  });
});

test("a merchant's keys share one limit; a key with its own limit, and the sessions of each wallet, have their own", async () => {
  const { limiter } = house();
  const merchant = newShop();
  const session = (sessionId: string, wallet: Wallet, of = merchant) => sessionFor(of, wallet, sessionId);
  const take = (caller: Caller) => takeQuota(limiter, { caller, ip }, 'orders');
  await take(developer({ merchant, keyId: 'a' }));
  expect(await take(developer({ merchant, keyId: 'b' }))).toMatchObject({ limit: 3, remaining: 1 });
  const own = developer({ merchant, keyId: 'c', limits: { orders: 1_000 } });
  expect(await take(own)).toMatchObject({ limit: 1_000, remaining: 999 });
  await take(session('one', merchant));
  expect(await take(session('two', merchant))).toMatchObject({ remaining: 1 });
  expect(await take(session('three', newShop()))).toMatchObject({ remaining: 2 });
  expect(await take(session('four', merchant, newShop()))).toMatchObject({ remaining: 2 });
  expect(await take(developer({ merchant, keyId: 'b' }))).toMatchObject({ remaining: 0 });
  expect(await take(session('two', merchant))).toMatchObject({ remaining: 0 });
  await expect(take(session('one', merchant))).rejects.toMatchObject({ code: 'rate_limited' });
});

test('wallets without a merchant also count per public address, and refused requests do not', async () => {
  const { limiter } = house({ rateLimits: { ...DEFAULT_RATE_LIMITS, reads: 2 } });
  const take = (merchant: Wallet | null, from: string, wallet = newShop()) =>
    takeQuota(limiter, { caller: sessionFor(merchant, wallet), ip: from }, 'reads');
  const [address, sameNetwork] = ['2600:1f18:1:1::1', '2600:1f18:1:1:ffff::2'];
  const limited = { code: 'rate_limited' };
  for (let wallets = 0; wallets < 20; wallets++) {
    const wallet = newShop();
    for (let requests = 0; requests < 2; requests++) await take(null, address, wallet);
    await expect(take(null, address, wallet)).rejects.toMatchObject(limited);
  }
  await expect(take(null, sameNetwork)).rejects.toMatchObject(limited);
  expect(await take(newShop(), sameNetwork)).toMatchObject({ remaining: 1 });
  for (const elsewhere of ['2600:1f18:1:2::1', '10.0.0.1'])
    expect(await take(null, elsewhere)).toMatchObject({ remaining: 1 });
});

test('anonymous callers count per address, in any category', async () => {
  const { limiter } = house({ rateLimits: { ...DEFAULT_RATE_LIMITS, others: 1 } });
  await takeQuota(limiter, { caller: ANONYMOUS, ip: '192.0.2.1' }, 'reads');
  await takeQuota(limiter, { caller: ANONYMOUS, ip: '192.0.2.2' }, 'reads');
  await takeQuota(limiter, { caller: ANONYMOUS, ip: '2001:db8:1:1::1' }, 'reads');
  for (const again of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8:1:1:ffff::2']) {
    await expect(takeQuota(limiter, { caller: ANONYMOUS, ip: again }, 'orders'), again).rejects.toMatchObject({
      code: 'rate_limited',
    });
  }
});

test('an unlimited key, the operator’s scheduler and disabled limits are not counted', async () => {
  const { limiter } = house();
  expect(countQuota(limiter, { caller: developer({ unlimited: true }), ip }, 'orders')).toBeNull();
  expect(countQuota(limiter, { caller: { kind: 'scheduler' }, ip }, 'orders')).toBeNull();
  const off = house({ rateLimits: null });
  expect(countQuota(off.limiter, { caller: developer(), ip }, 'orders')).toBeNull();
});

test('a read that costs more than the limit uses the whole limit', async () => {
  const { limiter } = house();
  const who = { caller: developer(), ip };
  expect(await takeQuota(limiter, who, 'reads', 5_000)).toMatchObject({ remaining: 0 });
  await expect(takeQuota(limiter, who, 'reads')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('more actions than the limit are refused together, and none of them is counted', async () => {
  const { limiter } = house();
  const who = { caller: developer(), ip };
  await expect(takeQuota(limiter, who, 'orders', 4)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await takeQuota(limiter, who, 'orders', 3)).toMatchObject({ remaining: 0 });
});

test('no sixty seconds contain more requests than the limit, and waiting until resetAt is enough', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 3 })), { maxLength: 80 }),
      (limit, steps) => {
        const window = createWindow();
        const taken: { at: number; cost: number }[] = [];
        let now = 0;
        for (const [pause, wanted] of steps) {
          now += pause;
          const cost = Math.min(wanted, limit);
          const before = taken.filter(({ at }) => at > now - WINDOW_MS).reduce((sum, entry) => sum + entry.cost, 0);
          const standing = window.take(limit, cost, now);
          expect(standing.allowed).toBe(before + cost <= limit);
          if (standing.allowed) taken.push({ at: now, cost });
          else {
            expect(window.take(limit, cost, standing.resetAtMs - 1).allowed).toBe(false);
            now = standing.resetAtMs;
            expect(window.take(limit, cost, now).allowed).toBe(true);
            taken.push({ at: now, cost });
          }
        }
      },
    ),
  );
});

test('setting the clock back does not block callers', () => {
  const window = createWindow();
  window.take(1, 1, 10_000_000);
  expect(window.take(1, 1, 10_000_000 - 3_600_000).allowed).toBe(true);
});

test('reads of a member neither have the limit of keys nor use it up, and each member has its own', async () => {
  const { limiter } = house({ rateLimits: { ...DEFAULT_RATE_LIMITS, reads: 1, people: 3 } });
  const shop = developer();
  const member = (wallet: Wallet) => ({ caller: sessionFor(shop.merchant, wallet), ip });
  const [one, other] = [newShop(), newShop()];
  for (let n = 0; n < 3; n += 1) await takeQuota(limiter, member(one), 'reads');
  await expect(takeQuota(limiter, member(one), 'reads')).rejects.toMatchObject({ code: 'rate_limited' });
  await takeQuota(limiter, member(other), 'reads');
  await takeQuota(limiter, { caller: shop, ip }, 'reads');
  await expect(takeQuota(limiter, { caller: shop, ip }, 'reads')).rejects.toMatchObject({ code: 'rate_limited' });
});
