import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import { SpenderTransactionSchema } from '../../../base/onchain/spender/spender-transaction.entity.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { deployAll } from '../../payments/test/deploy-all.ts';
import { payPast } from '../../payments/test/quoted.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { MerchantSchema } from '../../shop/merchants/merchant.entity.ts';
import type { PricingConfig } from '../../shop/merchants/pricing.ts';
import type { ShopConfig } from '../../shop/merchants/shop.ts';
import { readAllowance, requestRelease } from './request-release.ts';
import { createSettler } from './settle.ts';

let world: World;
let wallet: SigningWallet;
let deps: Deps;
let settler: (confirmed: number) => Promise<void>;
beforeAll(async () => {
  world = await openWorld();
  wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
  deps = withLimit(2);
  settler = createSettler(deps, wallet);
});
afterAll(() => world.stop());

/** A server that releases nothing by itself, and lets a merchant ask for this number of releases. */
function withLimit(requestsPerDay: number | null, clock = Date.now, requestsPerDayTotal: number | null = null): Deps {
  const { settlement: usual } = world.deps.settings;
  const settlement = { ...usual, sweeps: { ...usual.sweeps, maxCostPct: '0' }, requestsPerDay, requestsPerDayTotal };
  return { ...world.deps, clock, settings: { ...world.deps.settings, settlement } };
}

async function rounds(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await world.mine(2);
    await settler((await world.look()).cursor.confirmed);
  }
}

async function merchantWith(payees: readonly Wallet[]) {
  const recipients = payees.map((address) => ({ address, sharesBps: 10_000 / payees.length }));
  const { wallet: merchant, split } = await world.merchant({ recipients });
  await deployAll(world);
  return { merchant, split };
}

async function paid(merchant: Wallet, totalCents = 100): Promise<string> {
  const receiptId = await world.receipt(merchant, totalCents);
  await payPast(world, { merchant, receiptId });
  await rounds();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  return receiptId;
}

const all = (merchant: Wallet) => ({ merchant, chainId: null, split: null, token: null });
const releasesOf = (split: Wallet) =>
  world.deps.db.orm.em
    .fork()
    .find(SpenderTransactionSchema, { purpose: 'release', subjectId: { $like: `${split}/%` } });

test('what waits below the minimum is released when the merchant asks for it, once for each recipient', async () => {
  const { merchant, split } = await merchantWith([randomWallet(), randomWallet()]);
  const neighbour = await merchantWith([randomWallet()]);
  const receipts = [await paid(merchant), await paid(merchant)];
  const beside = await paid(neighbour.merchant);
  expect(await releasesOf(split)).toEqual([]);
  expect(await requestRelease(deps, all(merchant))).toEqual({ payouts: 4, releases: 2 });
  await rounds();
  for (const id of receipts) expect(await world.status(merchant, id)).toBe('completed');
  expect(await releasesOf(split)).toHaveLength(2);
  expect(await world.status(neighbour.merchant, beside)).toBe('paid');
  expect(await releasesOf(neighbour.split)).toEqual([]);
});

test('a place that rests is visited at once when its release is asked for', async () => {
  let aheadMs = 0;
  const { now } = performance;
  const { merchant, split } = await merchantWith([randomWallet()]);
  const receiptId = await paid(merchant);
  try {
    // Without a change for so long, the place is visited every five minutes.
    performance.now = () => now.call(performance) + aheadMs;
    aheadMs = 3_600_000;
    await rounds();
    await requestRelease(deps, { merchant, chainId: null, split, token: 'USDC' });
    await rounds();
    expect(await world.status(merchant, receiptId)).toBe('completed');
  } finally {
    performance.now = now;
  }
});

test('the releases of 24 hours are limited for each merchant, all or nothing', async () => {
  const { merchant, split } = await merchantWith([randomWallet(), randomWallet(), randomWallet(), randomWallet()]);
  await paid(merchant);
  await expect(requestRelease(deps, all(merchant))).rejects.toMatchObject({
    code: 'release_limit_reached',
    extra: { releases: 4, releasesLeft: 2 },
  });
  expect(await requestRelease(withLimit(4), all(merchant))).toEqual({ payouts: 4, releases: 4 });
  expect(await readAllowance(withLimit(4), merchant)).toMatchObject({ perDay: 4, left: 0 });
  await rounds();
  await paid(merchant);
  await expect(requestRelease(withLimit(4), all(merchant))).rejects.toMatchObject({ code: 'release_limit_reached' });
  const tomorrow = withLimit(4, () => Date.now() + 86_400_001);
  expect(await readAllowance(tomorrow, merchant)).toEqual({ perDay: 4, left: 4, resetAt: null });
  expect(await requestRelease(withLimit(null), { merchant, chainId: null, split, token: 'USDC' })).toMatchObject({
    releases: 4,
  });
});

test('merchants together ask for no more releases than the installation allows, also at once', async () => {
  const shops = await Promise.all([1, 2, 3].map(() => merchantWith([randomWallet(), randomWallet()])));
  for (const { merchant } of shops) await paid(merchant);
  const before = withLimit(null, Date.now, 1_000);
  const asked = 1_000 - (await readAllowance(before, shops[0]!.merchant)).left!;
  const limited = withLimit(100, Date.now, asked + 4);
  const answers = await Promise.allSettled(shops.map(({ merchant }) => requestRelease(limited, all(merchant))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  const refused = shops[answers.findIndex(({ status }) => status === 'rejected')]!;
  expect(await readAllowance(limited, refused.merchant)).toMatchObject({ perDay: asked + 4, left: 0 });
  expect(await requestRelease(withLimit(100), all(refused.merchant))).toMatchObject({ releases: 2 });
});

test('merchants that strangers registered ask for no more releases together than one that is admitted', async () => {
  const shops = await Promise.all([1, 2, 3].map(() => merchantWith([randomWallet(), randomWallet()])));
  const [one, two, admitted] = shops.map(({ merchant }) => merchant) as [Wallet, Wallet, Wallet];
  for (const wallet of [one, two, admitted]) {
    const row = {
      wallet,
      name: 'Mill',
      brandKey: 'mill',
      shop: {} as ShopConfig,
      pricing: {} as PricingConfig,
      newcomer: wallet !== admitted,
      createdAt: 0,
      updatedAt: 0,
    };
    await world.deps.db.orm.em.fork().insert(MerchantSchema, row);
    await paid(wallet);
  }
  expect(await requestRelease(deps, all(one))).toMatchObject({ releases: 2 });
  await expect(requestRelease(deps, all(two))).rejects.toMatchObject({
    code: 'release_limit_reached',
    extra: { releases: 2, releasesLeft: 0 },
  });
  expect(await requestRelease(deps, all(admitted))).toMatchObject({ releases: 2 });
});

test('requests at the same time do not exceed the limit together', async () => {
  const { merchant, split } = await merchantWith([randomWallet(), randomWallet()]);
  await paid(merchant);
  const one = { merchant, chainId: null, split, token: 'USDC' };
  const answers = await Promise.all([requestRelease(deps, one), requestRelease(deps, one), requestRelease(deps, one)]);
  expect(answers.map(({ releases }) => releases).toSorted()).toEqual([0, 0, 2]);
});

test('shares that are not final, on their way or of another token are not asked for', async () => {
  const { merchant } = await merchantWith([randomWallet()]);
  expect(await requestRelease(deps, all(merchant))).toEqual({ payouts: 0, releases: 0 });
  await paid(merchant);
  expect(await requestRelease(deps, { merchant, chainId: null, split: null, token: 'ETH' })).toEqual({
    payouts: 0,
    releases: 0,
  });
  expect(await requestRelease(deps, { merchant, chainId: null, split: randomWallet(), token: null })).toMatchObject({
    payouts: 0,
  });
  expect(await requestRelease(deps, all(merchant))).toMatchObject({ payouts: 1 });
  expect(await requestRelease(deps, all(merchant))).toMatchObject({ payouts: 0 });
});

test('a server that releases nothing, or nothing on request, refuses', async () => {
  const { merchant } = await merchantWith([randomWallet()]);
  await paid(merchant);
  const without = { ...deps, settings: { ...deps.settings, settlementPrivateKey: null } };
  await expect(requestRelease(without, all(merchant))).rejects.toMatchObject({ code: 'settlement_not_configured' });
  await expect(requestRelease(withLimit(0), all(merchant))).rejects.toMatchObject({ code: 'release_limit_reached' });
});
