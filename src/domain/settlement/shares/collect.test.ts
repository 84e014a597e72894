import { pad } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { addressOf } from '../../../base/chain/create2.ts';
import { deployOnce } from '../../../base/chain/deploy-once.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { receiptAddress } from '../../../base/chain/receipt-address.ts';
import { RECEIPT_FACTORY, receiptFactoryDeployment } from '../../../base/chain/receipt-record.ts';
import { createSender } from '../../../base/chain/sender.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import { quotePayment } from '../../payments/paying/quote-payment.ts';
import { deployAll } from '../../payments/test/deploy-all.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { ReceiptAddressSchema } from '../../sales/receipts/address.entity.ts';
import { createSettler } from './settle.ts';
import { readShares } from './share-view.ts';

let world: World;
let wallet: SigningWallet;
beforeAll(async () => {
  world = await openWorld();
  wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
});
afterAll(() => world.stop());

/** Reads the chain, settles and mines blocks, as often as given. */
async function settleAll(settler = createSettler(world.deps, wallet), rounds = 5) {
  for (let round = 0; round < rounds; round++) {
    await world.mine(2);
    const { cursor } = await world.look();
    await settler(cursor.confirmed);
  }
}

/** Settles with another `SWEEP_MAX_COST_PCT`. */
function settlerWith(maxCostPct: string) {
  const { settlement } = world.deps.settings;
  const sweeps = { ...settlement.sweeps, maxCostPct };
  const settings = { ...world.deps.settings, settlement: { ...settlement, sweeps } };
  return createSettler({ ...world.deps, settings }, wallet);
}

test('a plain transfer of any sufficient amount to the address pays the receipt, and each payee gets its share', async () => {
  const { wallet: merchant, split, recipients } = await world.merchant();
  const id = await world.receipt(merchant, 1_111);
  const payTo = await world.address(merchant, id);
  await world.pay({ token: 'USDC', payTo, amount: '11120000' });
  await settleAll();
  const what = (await world.history(merchant, id)).map((row) => row.what);
  expect(what).toEqual(['status:pending', 'status:tx_mined', 'status:paid', 'status:completed']);
  for (const { address, sharesBps } of recipients)
    expect(await world.balanceOf(address)).toBe((11_120_000n * BigInt(sharesBps)) / 10_000n);
  expect(await world.balanceOf(payTo)).toBe(0n);
  const [shares] = await readShares(world.deps.db, merchant, [id]);
  expect(shares!.map(({ split: at, owed, released }) => [at, owed, released])).toEqual(
    recipients.map(({ sharesBps }) => {
      const owed = String((11_120_000n * BigInt(sharesBps)) / 10_000n);
      return [split, owed, owed];
    }),
  );
});

test('addresses of several factories are collected in one round, and none waits behind another', async () => {
  const { wallet: merchant, split } = await world.merchant();
  await deployAll(world);
  const { initCode } = receiptFactoryDeployment();
  const salt = pad('0x1');
  const factory = addressOf(initCode, salt);
  const deployer = createSender(world.chain, localAccount('buyer', 3).privateKey);
  await deployOnce(world.chain, deployer, { address: factory, salt, initCode });
  const paid = async (totalCents: number, isOlder: boolean, isBefore: (payTo: Wallet) => boolean) => {
    const id = await world.receipt(merchant, totalCents);
    const { createdAt } = await world.read(merchant, id);
    const parts = { factory: isOlder ? factory : RECEIPT_FACTORY, split, merchant, receiptId: id, createdAt };
    let number = 0;
    while (!isBefore(receiptAddress({ ...parts, number }))) number++;
    const address = receiptAddress({ ...parts, number });
    const row = { ...parts, number, address, onlyChainId: null };
    await world.deps.db.orm.em.fork().insert(ReceiptAddressSchema, row);
    await world.pay({ token: 'USDC', payTo: address, amount: String(totalCents * 10_000) });
    return address;
  };
  // The addresses are looked at in their order: the first one is of the older factory, and never worth its cost.
  const dust = await paid(1, true, (payTo) => payTo < '0x4');
  const newest = await paid(10_000, false, (payTo) => payTo > '0x4');
  const old = await paid(10_000, true, (payTo) => payTo > '0x4');
  await settleAll(settlerWith('50'), 4);
  expect([await world.balanceOf(dust), await world.balanceOf(newest), await world.balanceOf(old)]).toEqual([
    10_000n,
    0n,
    0n,
  ]);
});

test('a payee whose code burns gas holds up no amount that is worth it all the same', async () => {
  const [payee, other] = [randomWallet(), randomWallet()];
  const recipients = [payee, other].map((address) => ({ address, sharesBps: 5_000 }));
  const { wallet: merchant } = await world.merchant({ recipients });
  await deployAll(world);
  // Loops while more than 40,000 gas are left.
  await world.control.setCode({ address: toAddress(payee), bytecode: '0x5b5a619c4011600c576000565b00' });
  const pay = async (totalCents: number) => {
    const receiptId = await world.receipt(merchant, totalCents);
    const quote = await quotePayment(world.deps, { merchant, receiptId, token: 'ETH' });
    await world.pay(quote);
    return { receiptId, quote };
  };
  const [large, small] = [await pay(1_000_000), await pay(1_000)];
  // The small one is worth 150,000 gas: more than its part of a usual collection, and less than of this one.
  const gasPrice = Number(await world.chain.client.getGasPrice());
  const maxCostPct = ((gasPrice * 150_000 * 100) / Number(small.quote.amount)).toFixed(9);
  await settleAll(settlerWith(maxCostPct));
  const held = (quote: { payTo: Wallet }) => world.chain.client.getBalance({ address: toAddress(quote.payTo) });
  expect([await held(large.quote), await held(small.quote)]).toEqual([0n, BigInt(small.quote.amount)]);
});
