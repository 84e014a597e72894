import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { RELEASE_GAS_MAX } from '../../../base/chain/splitter.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import { listenForAlarms } from '../../../base/platform/test/alarms.ts';
import { deployAll } from '../../payments/test/deploy-all.ts';
import { payPast } from '../../payments/test/quoted.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { createSettler } from './settle.ts';
import { readShares } from './share-view.ts';

let world: World;
let wallet: SigningWallet;
beforeAll(async () => {
  world = await openWorld();
  wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
});
afterAll(() => world.stop());

async function settleAll(settler = createSettler(world.deps, wallet)) {
  for (let round = 0; round < 4; round++) {
    await world.mine(2);
    await settler((await world.look()).cursor.confirmed);
  }
}

const nonceOf = (address: Wallet) => world.chain.client.getTransactionCount({ address: toAddress(address) });

/** A receipt paid in ether, half owed to a payee with this code and half to a wallet. */
async function paidToCode(bytecode: `0x${string}`) {
  const [payee, other] = [randomWallet(), randomWallet()];
  const recipients = [payee, other].map((address) => ({ address, sharesBps: 5_000 }));
  const { wallet: merchant, split } = await world.merchant({ recipients });
  await deployAll(world);
  await world.control.setCode({ address: toAddress(payee), bytecode });
  const receiptId = await world.receipt(merchant, 2_500);
  const { quote } = await payPast(world, { merchant, receiptId, token: 'ETH' });
  return { merchant, split, receiptId, payee, other, amount: BigInt(quote.amount) };
}

test.each([
  // JUMPDEST, PUSH1 0, JUMP: an endless loop.
  ['burns all gas it is given', '0x5b600056'],
  // Reverts with less than a million gas left, like `require(gasleft() > 1_000_000)`; otherwise accepts the coins.
  ['requires a million gas', '0x620f42405a11600e5760006000fd5b00'],
] as const)(
  'a payee whose contract %s must release its share itself: it is shown as such and not retried',
  async (_, bytecode) => {
    const { merchant, receiptId, payee, other, amount } = await paidToCode(bytecode);
    const settler = createSettler(world.deps, wallet);
    await settleAll(settler);
    expect(await world.chain.client.getBalance({ address: toAddress(other) })).toBe(amount / 2n);
    const [shares] = await readShares(world.deps.db, merchant, [receiptId]);
    expect(shares!.find((share) => share.payee === payee)).toMatchObject({ selfRelease: true, settledAt: null });
    expect(shares!.find((share) => share.payee === other)).toMatchObject({ selfRelease: false });
    const sent = await nonceOf(wallet.sender);
    // Another process, which has only the stored state.
    await settleAll();
    expect(await nonceOf(wallet.sender)).toBe(sent);
    expect(await world.status(merchant, receiptId)).toBe('paid');
  },
);

test('a payee that burns all its gas never costs the settlement wallet more than the limit', async () => {
  // Loops while more than 40,000 gas are left.
  const { split } = await paidToCode('0x5b5a619c4011600c576000565b00');
  await settleAll();
  const spent: bigint[] = [];
  const head = await world.chain.client.getBlockNumber();
  for (let blockNumber = head - 12n; blockNumber <= head; blockNumber++) {
    const { transactions } = await world.chain.client.getBlock({ blockNumber, includeTransactions: true });
    for (const { hash, to, from } of transactions) {
      if (to?.toLowerCase() !== split || from.toLowerCase() !== wallet.sender) continue;
      spent.push((await world.chain.client.getTransactionReceipt({ hash })).gasUsed);
    }
  }
  expect(spent.length).toBeGreaterThan(0);
  for (const gasUsed of spent) expect(gasUsed).toBeLessThanOrEqual(RELEASE_GAS_MAX);
});

test('a settlement wallet without coins raises one alert, and releases shares once it is funded', async () => {
  const { wallet: merchant } = await world.merchant();
  const second = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  await deployAll(world);
  await payPast(world, { merchant, receiptId });
  const otherId = await world.receipt(second.wallet, 1_000);
  await payPast(world, { merchant: second.wallet, receiptId: otherId });
  const address = toAddress(wallet.sender);
  await world.control.setBalance({ address, value: 1n });
  const { log, alarms } = listenForAlarms();
  await settleAll(createSettler({ ...world.deps, log }, wallet));
  expect(alarms).toEqual(['settlement_out_of_funds']);
  expect(await world.status(merchant, receiptId)).toBe('paid');
  await world.control.setBalance({ address, value: parseEther('10') });
  await settleAll();
  expect(await world.status(merchant, receiptId)).toBe('completed');
  expect(await world.status(second.wallet, otherId)).toBe('completed');
});
