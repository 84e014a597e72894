import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { openWallet } from '../../../base/onchain/spender/spender-key.ts';
import { SpenderTransactionSchema } from '../../../base/onchain/spender/spender-transaction.entity.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { listPayouts } from '../payouts/list-payouts.ts';
import { readBatches } from '../payouts/waiting.ts';
import { readAllowance, requestRelease } from './request-release.ts';
import { createSettler } from './settle.ts';

let world: World;
let deps: Deps;
let settler: (confirmed: number) => Promise<void>;
beforeAll(async () => {
  world = await openWorld();
  deps = withLimit(20);
  settler = createSettler(deps, openWallet('settlement', world.deps.settings.settlementPrivateKey!));
});
afterAll(() => world.stop());

/** A server on which no collection is worth its cost, and that lets a merchant ask for this number. */
function withLimit(requestsPerDay: number | null, clock = Date.now): Deps {
  const { settlement } = world.deps.settings;
  const sweeps = { ...settlement.sweeps, maxCostPct: '0' };
  return {
    ...world.deps,
    clock,
    settings: { ...world.deps.settings, settlement: { ...settlement, sweeps, requestsPerDay } },
  };
}

async function rounds(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await world.mine(2);
    await settler((await world.look()).cursor.confirmed);
  }
}

/** A receipt that is paid at its address. */
async function paid(merchant: Wallet, token = 'USDC'): Promise<string> {
  const id = await world.receipt(merchant, 100);
  await world.pay({ token, payTo: await world.address(merchant, id), amount: '1000000' });
  await rounds();
  expect(await world.status(merchant, id)).toBe('paid');
  return id;
}

const all = (merchant: Wallet) => ({ merchant, chainId: null, split: null, token: null });
const collectionsOf = (merchant: Wallet) =>
  world.deps.db.orm.em.fork().count(SpenderTransactionSchema, { purpose: 'collect', merchant });
const uncollected = async (merchant: Wallet) =>
  (await listPayouts(deps.db, merchant, {}).read({ limit: 50 })).filter(({ row }) => row.isUncollected).length;

test('what is too small to collect waits visibly, and is collected and released when the merchant asks for it', async () => {
  const { wallet: merchant, split } = await world.merchant();
  const { wallet: neighbour } = await world.merchant();
  const [one, two, beside] = [await paid(merchant), await paid(merchant), await paid(neighbour)];
  expect(await collectionsOf(merchant)).toBe(0);
  expect(await readBatches(deps, merchant)).toMatchObject([
    { split, token: 'USDC', payouts: 4, releases: 2, owed: '2000000', waitsFor: 'collection', requested: false },
  ]);
  expect(await uncollected(merchant)).toBe(4);
  expect(await requestRelease(deps, all(merchant))).toEqual({ payouts: 4, releases: 2 });
  expect(await readBatches(deps, merchant)).toMatchObject([{ waitsFor: 'collection', requested: true }]);
  await rounds();
  expect(await collectionsOf(merchant)).toBe(1);
  for (const id of [one, two]) expect(await world.status(merchant, id)).toBe('completed');
  expect(await readBatches(deps, merchant)).toEqual([]);
  expect(await uncollected(merchant)).toBe(0);
  expect(await world.status(neighbour, beside)).toBe('paid');
  expect(await collectionsOf(neighbour)).toBe(0);
});

test('a request for one token collects no other token of the same receipt', async () => {
  const { wallet: merchant } = await world.merchant();
  const id = await world.receipt(merchant, 200);
  const payTo = await world.address(merchant, id);
  for (const token of ['USDC', 'USDT']) await world.pay({ token, payTo, amount: '1000000' });
  await rounds();
  expect(await world.status(merchant, id)).toBe('paid');
  expect(await requestRelease(deps, { ...all(merchant), token: 'USDT' })).toEqual({ payouts: 2, releases: 1 });
  await rounds();
  expect(await readBatches(deps, merchant)).toMatchObject([{ token: 'USDC', owed: '1000000', requested: false }]);
});

test('collections count in the releases of 24 hours, also after they are done, and what exceeds them changes nothing', async () => {
  const { wallet: merchant } = await world.merchant();
  const ids = [await paid(merchant), await paid(merchant), await paid(merchant)];
  await expect(requestRelease(withLimit(2), all(merchant))).rejects.toMatchObject({
    code: 'release_limit_reached',
    extra: { releases: 3, releasesLeft: 2 },
  });
  expect(await readBatches(deps, merchant)).toMatchObject([{ releases: 3, requested: false }]);
  const first = { ...all(merchant), receiptId: ids[0]! };
  expect(await requestRelease(withLimit(2), { ...first, collected: true })).toEqual({ payouts: 0, releases: 0 });
  expect(await requestRelease(withLimit(2), { ...first, collected: false })).toEqual({ payouts: 2, releases: 1 });
  expect(await requestRelease(withLimit(2), first)).toEqual({ payouts: 0, releases: 0 });
  expect(await readAllowance(withLimit(2), merchant)).toMatchObject({ left: 1 });
  await rounds();
  expect(await world.status(merchant, ids[0]!)).toBe('completed');
  expect(await readAllowance(withLimit(2), merchant)).toMatchObject({ left: 1 });
  await expect(requestRelease(withLimit(2), all(merchant))).rejects.toMatchObject({ code: 'release_limit_reached' });
  const tomorrow = withLimit(2, () => Date.now() + 86_400_001);
  expect(await requestRelease(tomorrow, all(merchant))).toEqual({ payouts: 4, releases: 2 });
});

test('a stranger collects nothing on request, nor does a server that releases nothing', async () => {
  const { wallet: merchant } = await world.merchant();
  await paid(merchant);
  expect(await requestRelease(deps, all(randomWallet()))).toEqual({ payouts: 0, releases: 0 });
  const without = { ...deps, settings: { ...deps.settings, settlementPrivateKey: null } };
  expect(await readAllowance(without, merchant)).toEqual({ perDay: 0, left: 0, resetAt: null });
  await expect(requestRelease(without, all(merchant))).rejects.toMatchObject({ code: 'settlement_not_configured' });
  await expect(requestRelease(withLimit(0), all(merchant))).rejects.toMatchObject({ code: 'release_limit_reached' });
  expect(await readBatches(deps, merchant)).toMatchObject([{ requested: false }]);
});
