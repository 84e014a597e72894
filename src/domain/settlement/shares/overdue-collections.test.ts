import { parseGwei } from 'viem';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { collectionsWithoutEffect } from '../../../base/core/observed.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { countSent } from '../../../base/onchain/spender/count-sent.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { deployAll } from '../../payments/test/deploy-all.ts';
import { openWorld, type World } from '../../payments/test/world.ts';
import { countOverdue } from './overdue-collections.ts';
import { createSettler } from './settle.ts';

const DAY_MS = 86_400_000;

let world: World;
let wallet: SigningWallet;
let aheadMs = 0;
beforeAll(async () => {
  world = await openWorld();
  wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
});
afterAll(() => world.stop());

/** A server whose clock a test moves on. */
function serverWith(sweeps: Partial<Deps['settings']['settlement']['sweeps']>): Deps {
  const { settlement } = world.deps.settings;
  const settings = {
    ...world.deps.settings,
    settlement: { ...settlement, sweeps: { ...settlement.sweeps, ...sweeps } },
  };
  return { ...world.deps, settings, clock: () => Date.now() + aheadMs };
}

async function rounds(settler: (confirmed: number) => Promise<void>, count = 3): Promise<void> {
  for (let round = 0; round < count; round++) {
    await world.mine(2);
    await settler((await world.look()).cursor.confirmed);
  }
}

async function paid(merchant: Wallet): Promise<string> {
  const id = await world.receipt(merchant, 100);
  await world.pay({ token: 'USDC', payTo: await world.address(merchant, id), amount: '1000000' });
  return id;
}

/** Lets the pauses after failures pass with the clock of the test, until the test ends. */
function letPausesPass(): void {
  const now = performance.now.bind(performance);
  const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  onTestFinished(() => monotonic.mockRestore());
}

/** The chains of the collections without effect that are reported until the test ends. */
function reportsWithoutEffect(): readonly number[] {
  const reported: number[] = [];
  const listener = ({ chainId }: { chainId: number }) => void reported.push(chainId);
  collectionsWithoutEffect.subscribe(listener);
  onTestFinished(() => void collectionsWithoutEffect.unsubscribe(listener));
  return reported;
}

const overdue = (deps: Deps) => countOverdue({ chain: world.chain, clock: deps.clock });

test('money that is worth its cost and not collected for a day is overdue until it is collected', async () => {
  const { wallet: merchant } = await world.merchant();
  await deployAll(world);
  const id = await paid(merchant);
  const deps = serverWith({ perDay: 0 });
  const settler = createSettler(deps, wallet);
  await rounds(settler);
  expect(overdue(deps)).toBe(0);
  aheadMs += DAY_MS + 1_000;
  await rounds(createSettler(deps, wallet));
  expect(await world.status(merchant, id)).toBe('paid');
  expect(overdue(deps)).toBe(1);
  // Another process collects by now.
  expect(countOverdue({ chain: world.chain, clock: () => deps.clock() + 3_600_000 })).toBe(0);
  await rounds(createSettler(serverWith({ perDay: null }), wallet), 6);
  expect(await world.status(merchant, id)).toBe('completed');
  expect(overdue(deps)).toBe(0);
});

test('merchants together are collected from no more often within a day than the installation allows', async () => {
  const shops = [(await world.merchant()).wallet, (await world.merchant()).wallet];
  await deployAll(world);
  const ids: string[] = [];
  for (const shop of shops) ids.push(await paid(shop));
  const since = aheadMs + Date.now() - DAY_MS;
  const sent = async () => {
    const lane = { ...world.deps, chain: world.chain };
    return [...(await countSent(lane, wallet, { purpose: 'collect', since })).values()].reduce(
      (all, count) => all + count,
      0,
    );
  };
  const before = await sent();
  await rounds(createSettler(serverWith({ perDayTotal: before + 1 }), wallet), 6);
  expect(await sent()).toBe(before + 1);
  const statuses = async () => Promise.all(shops.map((shop, i) => world.status(shop, ids[i]!)));
  expect((await statuses()).toSorted()).toEqual(['completed', 'paid']);
  await rounds(createSettler(serverWith({ perDayTotal: null }), wallet), 6);
  expect(await statuses()).toEqual(['completed', 'completed']);
});

test('a collection that the limit of a day has held back is sent at last, and no alert is raised', async () => {
  const reported = reportsWithoutEffect();
  letPausesPass();
  const { wallet: merchant } = await world.merchant();
  await deployAll(world);
  const id = await paid(merchant);
  const deps = serverWith({ perDay: 0 });
  const settler = createSettler(deps, wallet);
  await rounds(settler);
  for (let hour = 0; hour < 3; hour++) {
    aheadMs += 3_600_000;
    await rounds(settler, 1);
  }
  expect(reported).toEqual([]);
  Object.assign(deps.settings.settlement.sweeps, { perDay: null });
  aheadMs += 3_600_000;
  await rounds(settler, 4);
  const arrived = 'select collected from transfers where address_of = ? and split is not null';
  expect(await world.deps.db.orm.em.fork().execute(arrived, [id])).toEqual([{ collected: true }]);
});

test('a collection whose nonce another transaction has used is no collection without effect, and is sent again', async () => {
  const reported = reportsWithoutEffect();
  letPausesPass();
  const { wallet: merchant } = await world.merchant();
  await deployAll(world);
  const id = await paid(merchant);
  await world.mine(4);
  const { confirmed } = (await world.look()).cursor;
  const settler = createSettler(serverWith({}), wallet);
  await world.control.setAutomine(false);
  onTestFinished(() => world.control.setAutomine(true));
  await settler(confirmed);
  const latest = `select t.nonce, b.hash from spender_transactions t join spender_broadcasts b using (chain_id, sender, nonce)
    where t.purpose = 'collect' and t.merchant = ?`;
  const [{ nonce, hash }] = (await world.deps.db.orm.em.fork().execute(latest, [merchant])) as [
    { nonce: number; hash: `0x${string}` },
  ];
  await world.control.dropTransaction({ hash });
  await world.control.setAutomine(true);
  const serializedTransaction = await wallet.account.signTransaction({
    ...{ type: 'eip1559', chainId: world.chain.chainId, to: toAddress(wallet.sender), nonce, gas: 21_000n },
    ...{ maxFeePerGas: parseGwei('90'), maxPriorityFeePerGas: 1n },
  });
  await world.chain.client.sendRawTransaction({ serializedTransaction });
  await rounds(settler, 8);
  aheadMs += 60_000;
  await rounds(settler, 6);
  expect(reported).toEqual([]);
  expect(await world.balanceOf(await world.address(merchant, id))).toBe(0n);
});

test('money that is not worth its cost is never overdue', async () => {
  const { wallet: merchant } = await world.merchant();
  const id = await paid(merchant);
  const deps = serverWith({ maxCostPct: '0' });
  const settler = createSettler(deps, wallet);
  await rounds(settler);
  aheadMs += DAY_MS + 1_000;
  await rounds(settler);
  expect(await world.status(merchant, id)).toBe('paid');
  expect(overdue(deps)).toBe(0);
});

test('a token that moves nothing is noticed once for each address, and is given a pause', async () => {
  const reported: number[] = [];
  const listener = ({ chainId }: { chainId: number }) => void reported.push(chainId);
  collectionsWithoutEffect.subscribe(listener);
  const deps = serverWith({});
  const { wallet: merchant } = await world.merchant();
  const id = await paid(merchant);
  await world.mine(4);
  await world.look();
  // From now on the token says that every transfer succeeds, and keeps the balances of that moment.
  const address = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address as `0x${string}`;
  const before = (await world.chain.client.getCode({ address }))!;
  const one = '600160005260206000f3';
  await world.control.setCode({ address, bytecode: `0x${one}` });
  const settler = createSettler(deps, wallet);
  await rounds(settler, 5);
  await world.control.setCode({ address, bytecode: before });
  collectionsWithoutEffect.unsubscribe(listener);
  // This one, and the one of the test before.
  expect(reported).toEqual([world.chain.chainId, world.chain.chainId]);
  expect(await world.status(merchant, id)).toBe('paid');
});
