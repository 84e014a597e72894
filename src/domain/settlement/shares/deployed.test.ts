import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { createChain } from '../../../base/chain/client.ts';
import { isDeployed } from '../../../base/chain/splitter.ts';
import { openNode } from '../../../base/chain/test/node.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import { listenForAlarms } from '../../../base/platform/test/alarms.ts';
import { deployAll } from '../../payments/test/deploy-all.ts';
import { payPast } from '../../payments/test/quoted.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { createSettler } from './settle.ts';

let world: World;
let wallet: SigningWallet;
beforeAll(async () => {
  world = await openWorld();
  wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
});
afterAll(() => world.stop());

/** Whether the split is recorded as deployed. */
const isRecorded = async (split: string): Promise<boolean> => {
  const em = world.deps.db.orm.em.fork();
  const [row] = await em.execute<{ deployed: boolean }[]>('select deployed from splits where address = ?', [split]);
  return row!.deployed;
};

async function settleAll(settler: (confirmed: number) => Promise<void>) {
  for (let round = 0; round < 4; round++) {
    await world.mine(2);
    await settler((await world.look()).cursor.confirmed);
  }
}

test('a split counts as deployed only once its deployment has its confirmations', async () => {
  const { split } = await world.merchant();
  const settler = createSettler(world.deps, wallet);
  await settler((await world.look()).cursor.confirmed);
  expect(await isRecorded(split)).toBe(false);
  await world.mine(2);
  await settler((await world.look()).cursor.confirmed);
  expect(await isRecorded(split)).toBe(true);
});

test('a split is deployed through a node that only has the state of the newest block', async () => {
  const { split } = await world.merchant();
  const { cursor } = await world.look();
  const missing = { error: { code: -32602, message: 'BlockOutOfRangeError' } };
  const rpcUrl = await openNode(world.rpcUrl, async ({ method, params = [] }) =>
    method === 'eth_getCode' && String(params[1]).startsWith('0x') ? missing : null,
  );
  const chain = createChain({ ...world.chain, rpcUrl });
  await createSettler({ ...world.deps, chain }, wallet)(cursor.confirmed);
  expect(await isDeployed(world.chain, split)).toBe(true);
});

test('settlement detects, without any buyer, that a deep reorganisation removed a deployment, and raises an alert', async () => {
  const { split } = await world.merchant();
  const { log, alarms } = listenForAlarms();
  const id = await world.control.snapshot();
  const settler = createSettler({ ...world.deps, log }, null);
  await deployAll(world);
  await world.mine(5);
  await settler((await world.look()).cursor.confirmed);
  await world.control.revert({ id });
  await world.mine(3);
  await settler((await world.look()).cursor.confirmed);
  expect(await isRecorded(split)).toBe(false);
  expect(alarms).toContain('split_gone');
  // The deployment that was removed, and others of the same wallet, come back.
  await settleAll(createSettler(world.deps, wallet));
  expect(await isRecorded(split)).toBe(true);
});

test('a release mined at an address without code is not sent again at once and raises an alert, and the split is deployed again', async () => {
  const payee = randomWallet();
  const { wallet: merchant, split } = await world.merchant({ recipients: [{ address: payee, sharesBps: 10_000 }] });
  await deployAll(world);
  const { log, alarms } = listenForAlarms();
  const receiptId = await world.receipt(merchant, 1_000);
  await payPast(world, { merchant, receiptId });
  await world.mine(2);
  const code = (await world.chain.client.getCode({ address: toAddress(split) }))!;
  const { confirmed } = (await world.look()).cursor;
  await world.control.setCode({ address: toAddress(split), bytecode: '0x' });
  const settler = createSettler({ ...world.deps, log }, wallet);
  const nonceBefore = await world.chain.client.getTransactionCount({ address: toAddress(wallet.sender) });
  await settler(confirmed);
  expect(alarms).toEqual(['release_without_effect', 'split_gone']);
  await world.control.setCode({ address: toAddress(split), bytecode: code });
  await settler(confirmed);
  const nonceAfter = await world.chain.client.getTransactionCount({ address: toAddress(wallet.sender) });
  expect(nonceAfter - nonceBefore).toBe(1);
  await settleAll(createSettler(world.deps, wallet));
  expect(await world.status(merchant, receiptId)).toBe('completed');
});
