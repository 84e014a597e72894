import { pino } from 'pino';
import { type Hash, parseGwei } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { planSplitter } from '../../../base/chain/plan-splitter.ts';
import { isDeployed } from '../../../base/chain/splitter.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { countSent } from '../../../base/onchain/spender/count-sent.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import {
  SpenderBroadcastSchema,
  SpenderTransactionSchema,
} from '../../../base/onchain/spender/spender-transaction.entity.ts';
import type { SettlementConfig } from '../../../base/platform/config/config.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { deployAll } from '../../payments/test/deploy-all.ts';
import { payPast } from '../../payments/test/quoted.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { requestDeployment } from '../../shop/splits/deployed.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { createSettler } from './settle.ts';
import { readShares } from './share-view.ts';

const DAY_MS = 86_400_000;

let world: World;
let wallet: SigningWallet;
beforeAll(async () => {
  world = await openWorld();
  wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
});
afterAll(() => world.stop());

/** The time that the server's clock is ahead. */
let shiftMs = 0;
beforeEach(() => {
  shiftMs = 0;
});

/** A server that settles with this policy. */
function settlerWith(settlement: Partial<SettlementConfig>, settings: Partial<Settings> = {}) {
  const policy = { ...world.deps.settings.settlement, ...settlement };
  const clock = () => Date.now() + shiftMs;
  const deps = { ...world.deps, clock, settings: { ...world.deps.settings, ...settings, settlement: policy } };
  return createSettler(deps, wallet);
}

async function rounds(settler: (confirmed: number) => Promise<void>, count = 4): Promise<void> {
  for (let round = 0; round < count; round++) {
    await world.mine(2);
    await settler((await world.look()).cursor.confirmed);
  }
}

/** A merchant whose payments all go to one payee. */
async function merchantWithPayee() {
  const payee = randomWallet();
  const { wallet: merchant, split } = await world.merchant({ recipients: [{ address: payee, sharesBps: 10_000 }] });
  await deployAll(world);
  return { merchant, split, payee };
}

async function paid(merchant: Wallet, totalCents: number): Promise<string> {
  const receiptId = await world.receipt(merchant, totalCents);
  await payPast(world, { merchant, receiptId });
  return receiptId;
}

const statuses = (merchant: Wallet, ids: readonly string[]) =>
  Promise.all(ids.map((receiptId) => world.status(merchant, receiptId)));

const releasesOf = (split: Wallet) =>
  world.deps.db.orm.em
    .fork()
    .find(SpenderTransactionSchema, { purpose: 'release', subjectId: { $like: `${split}/%` } });

/** What the release of one share costs at most, in percent of 25 dollars. */
async function percentFor25Dollars(): Promise<string> {
  const gasPrice = await world.chain.client.getGasPrice();
  const usd = (Number(gasPrice) * 80_000 * Number(world.rates.get('ETH'))) / 1e18;
  return ((usd / 25) * 100).toFixed(9);
}

const withMost = (maxCostPct: string) =>
  settlerWith({ sweeps: { ...world.deps.settings.settlement.sweeps, maxCostPct } });

test('receipts whose shares are not worth a release stay paid until their sum is, and are then released in one transaction', async () => {
  const { merchant, split, payee } = await merchantWithPayee();
  const settler = withMost(await percentFor25Dollars());
  const receipts = [await paid(merchant, 900), await paid(merchant, 1_000)];
  await rounds(settler);
  expect(await statuses(merchant, receipts)).toEqual(['paid', 'paid']);
  expect(await releasesOf(split)).toEqual([]);
  receipts.push(await paid(merchant, 3_000));
  await rounds(settler);
  expect(await statuses(merchant, receipts)).toEqual(['completed', 'completed', 'completed']);
  expect(await releasesOf(split)).toHaveLength(1);
  expect(await world.balanceOf(payee)).toBe(49_000_000n);
  const hashes = (await readShares(world.deps.db, merchant, receipts))
    .flat()
    .map(({ transactionHash }) => transactionHash);
  expect(new Set(hashes).size).toBe(1);
});

test('age alone releases nothing, and a lower price of gas does', async () => {
  const { merchant, split } = await merchantWithPayee();
  const receiptId = await paid(merchant, 1_000);
  const percent = await percentFor25Dollars();
  shiftMs = 365 * DAY_MS;
  await rounds(withMost(percent));
  expect(await releasesOf(split)).toEqual([]);
  expect(await world.status(merchant, receiptId)).toBe('paid');
  await rounds(withMost(String(Number(percent) * 4)));
  expect(await world.status(merchant, receiptId)).toBe('completed');
});

test('nothing is released while the market is above the fee ceiling, which is logged; later it is', async () => {
  const { merchant, split } = await merchantWithPayee();
  const receiptId = await paid(merchant, 1_000);
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const setBaseFee = async (gwei: string) => {
    await world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
    await world.mine(1);
  };
  await setBaseFee('90');
  const deps = { ...world.deps, log, settings: { ...world.deps.settings, maxFeeGwei: 5 } };
  await rounds(createSettler(deps, wallet));
  expect(await releasesOf(split)).toEqual([]);
  expect(lines).toEqual([expect.objectContaining({ warning: 'fees_above_ceiling', maxFeeGwei: 5 })]);
  expect(await world.status(merchant, receiptId)).toBe('paid');
  await setBaseFee('1');
  await rounds(createSettler(deps, wallet));
  expect(await world.status(merchant, receiptId)).toBe('completed');
  const [release] = await releasesOf(split);
  const sent = await world.chain.client.getTransaction({ hash: release!.minedHash! });
  expect(sent.maxFeePerGas).toBeLessThanOrEqual(parseGwei('5'));
});

test('on demand, a split is deployed before its first release', async () => {
  const policy = { deployOnDemand: true };
  const [forRelease, unused] = [await world.merchant(), await world.merchant()];
  const receiptId = await paid(forRelease.wallet, 1_000);
  await rounds(settlerWith(policy), 7);
  expect(await isDeployed(world.chain, forRelease.split)).toBe(true);
  expect(await world.status(forRelease.wallet, receiptId)).toBe('completed');
  expect(await isDeployed(world.chain, unused.split)).toBe(false);
});

test('a merchant has so many splits deployed within 24 hours, and the others later', async () => {
  const { wallet: merchant, split: first } = await world.merchant();
  const policy = { deployOnDemand: true, deploymentsPerDay: 1 };
  await requestDeployment(world.deps.db, world.deps.chain, first);
  await rounds(settlerWith(policy), 2);
  expect(await isDeployed(world.chain, first)).toBe(true);
  const second = await replaceSplitOf(merchant);
  await requestDeployment(world.deps.db, world.deps.chain, second);
  await rounds(settlerWith(policy), 2);
  expect(await isDeployed(world.chain, second)).toBe(false);
  shiftMs = DAY_MS;
  await rounds(settlerWith(policy), 2);
  expect(await isDeployed(world.chain, second)).toBe(true);
});

test('all merchants together have so many splits deployed within 24 hours', async () => {
  const [one, other] = [await world.merchant(), await world.merchant()];
  const wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
  const since = Date.now() + shiftMs - DAY_MS;
  const total = [...(await countSent(world.deps, wallet, { purpose: 'deploy_split', since })).values()].reduce(
    (all, count) => all + count,
    0,
  );
  const policy = { deployOnDemand: true, deploymentsPerDay: 5, deploymentsPerDayTotal: total + 1 };
  for (const { split } of [one, other]) await requestDeployment(world.deps.db, world.deps.chain, split);
  await rounds(settlerWith(policy), 2);
  const deployed = await Promise.all([one, other].map(({ split }) => isDeployed(world.chain, split)));
  expect(deployed.filter(Boolean)).toHaveLength(1);
  shiftMs += DAY_MS;
  await rounds(settlerWith(policy), 2);
  for (const { split } of [one, other]) expect(await isDeployed(world.chain, split)).toBe(true);
});

async function replaceSplitOf(merchant: Wallet): Promise<Wallet> {
  const em = world.deps.db.orm.em.fork();
  const active = await em.findOneOrFail(SplitSchema, { merchant, replacedAt: null });
  await em.nativeUpdate(SplitSchema, { merchant }, { replacedAt: Date.now() });
  const recipients = [{ address: randomWallet(), sharesBps: 10_000 }];
  const { address, salt, initCode } = planSplitter({ merchant, recipients });
  const { chainId, createdBlock, createdAt } = active;
  await em.insert(SplitSchema, {
    ...{ merchant, chainId, createdBlock, createdAt, recipients, address, salt, initCode },
    ...{ id: `${active.id}_2`, verified: true, deployed: false },
  });
  return address;
}

/** A release that is sent and in no block. */
async function pendingRelease() {
  const { merchant, split, payee } = await merchantWithPayee();
  const receiptId = await paid(merchant, 1_000);
  await world.mine(2);
  const { confirmed } = (await world.look()).cursor;
  await world.control.setAutomine(false);
  onTestFinished(() => world.control.setAutomine(true));
  await settlerWith({})(confirmed);
  const [release] = await releasesOf(split);
  const { nonce } = release!;
  const [form] = await world.deps.db.orm.em.fork().find(SpenderBroadcastSchema, { sender: wallet.sender, nonce });
  expect(await hashOf(merchant, receiptId)).toBe(form!.hash);
  await world.control.dropTransaction({ hash: form!.hash });
  await world.control.setAutomine(true);
  return { merchant, split, payee, receiptId, nonce, hash: form!.hash };
}

const hashOf = async (merchant: Wallet, receiptId: string): Promise<Hash | null> =>
  (await readShares(world.deps.db, merchant, [receiptId])).flat()[0]!.transactionHash;

test('a release that the node has lost is replaced with a higher fee, and the share names the form that is in a block', async () => {
  const { merchant, receiptId, hash } = await pendingRelease();
  await world.mine(12);
  await rounds(settlerWith({}));
  expect(await world.status(merchant, receiptId)).toBe('completed');
  const replaced = await hashOf(merchant, receiptId);
  expect(replaced).not.toBe(hash);
  expect(await world.chain.client.getTransactionReceipt({ hash: replaced! })).toMatchObject({ status: 'success' });
});

test('a release whose nonce another transaction has used is sent again with a new nonce', async () => {
  const { merchant, split, receiptId, nonce } = await pendingRelease();
  const raw = await wallet.account.signTransaction({
    ...{ type: 'eip1559', chainId: world.chain.chainId, to: toAddress(wallet.sender), nonce, gas: 21_000n },
    ...{ maxFeePerGas: parseGwei('90'), maxPriorityFeePerGas: parseGwei('2') },
  });
  await world.chain.client.sendRawTransaction({ serializedTransaction: raw });
  await rounds(settlerWith({}), 6);
  expect(await hashOf(merchant, receiptId)).toBe(null);
  await rounds(settlerWith({}));
  expect(await world.status(merchant, receiptId)).toBe('completed');
  const releases = await releasesOf(split);
  expect(releases.map(({ outcome }) => outcome).toSorted()).toEqual(['success', 'voided']);
});
