import type { Hash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deploymentTransaction } from '../../../base/chain/create2.ts';
import { askLocalWallet } from '../../../base/chain/local-wallet.ts';
import { receiptSalt } from '../../../base/chain/receipt-address.ts';
import { collectCall, receiptFactoryDeployment } from '../../../base/chain/receipt-record.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { submitTransaction } from '../../payments/matching/submit.ts';
import { quotePayment } from '../../payments/paying/quote-payment.ts';
import { refunding } from '../../payments/refunds/test/refunding.ts';
import { claimOf } from '../../payments/test/quoted.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { ReceiptAddressSchema } from '../../sales/receipts/address.entity.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { readHoldings } from './holdings.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.stop());

const { confirm, send, refund: refundTo } = refunding(() => world);

/** Underpays a receipt, by hash. Returns the amount that arrived, in base units. */
async function payShort(merchant: Wallet, receiptId: string, token: string, less: bigint): Promise<bigint> {
  const quote = await quotePayment(world.deps, { merchant, receiptId, token });
  const transactionHash = await world.pay(quote, -less);
  const claim = await claimOf(world, { merchant, receiptId }, transactionHash);
  await submitTransaction(world.deps, { merchant, receiptId, transactionHash, claim });
  await confirm();
  return BigInt(quote.amount) - less;
}

async function refund(merchant: Wallet, receiptId: string, usd: number): Promise<void> {
  const buyer = randomWallet();
  await refundTo({ merchant, receiptId, buyer }, usd, { txHash: await send(buyer, BigInt(Math.round(usd * 1e6))) });
}

const reservedOf = async (merchant: Wallet) =>
  Object.fromEntries(
    (await readHoldings(world.deps, merchant))
      .filter(({ reserved }) => reserved > 0n)
      .map(({ token, reserved, available }) => [token.symbol, { reserved, available }]),
  );

/** The merchant's 99.5 %. */
const shareOf = (amount: bigint) => (amount * 9950n) / 10_000n;

test('the refunded part of an underpayment is no longer reserved, exact to the base unit', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  const arrived = await payShort(merchant, receiptId, 'USDC', 4_000_000n);
  const held = shareOf(arrived);
  expect(await reservedOf(merchant)).toEqual({ USDC: { reserved: held, available: 0n } });

  await refund(merchant, receiptId, 2);
  expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
  const left = shareOf(arrived - 2_000_000n);
  expect(await reservedOf(merchant)).toEqual({ USDC: { reserved: left, available: held - left } });

  const rest = Math.floor((Number(arrived) - 2_000_000) / 10_000) / 100;
  await refund(merchant, receiptId, rest);
  expect(await world.status(merchant, receiptId)).toBe('refunded');
  expect(await reservedOf(merchant)).toEqual({});
});

test('a refund reduces the reserve of each token in proportion if a receipt received two tokens', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  const usdc = await payShort(merchant, receiptId, 'USDC', 6_000_000n);
  const usdt = await payShort(merchant, receiptId, 'USDT', 3_000_000n);
  await refund(merchant, receiptId, 3);
  const kept = (amount: bigint) => amount - (amount * 3_000_000n) / (usdc + usdt);
  const reserved = await reservedOf(merchant);
  expect([reserved.USDC!.reserved, reserved.USDT!.reserved]).toEqual([shareOf(kept(usdc)), shareOf(kept(usdt))]);
});

/** What a merchant has of USDC, in base units. */
async function usdcOf(merchant: Wallet) {
  const [holding] = (await readHoldings(world.deps, merchant)).filter(({ token }) => token.symbol === 'USDC');
  return { available: holding!.available, reserved: holding!.reserved };
}

async function arrive(merchant: Wallet, amount: bigint, totalCents = 100): Promise<Wallet> {
  const payTo = await world.address(merchant, await world.receipt(merchant, totalCents));
  await world.pay({ token: 'USDC', payTo, amount: String(amount) });
  return payTo;
}

/** Any wallet sends what is at the addresses of the merchant's receipts to the recipients. */
async function collectAll(merchant: Wallet): Promise<void> {
  const addresses = await world.deps.db.orm.em.fork().find(ReceiptAddressSchema, { merchant });
  const { split, factory } = addresses[0]!;
  const { salt, initCode, recipients } = await world.deps.db.orm.em.fork().findOneOrFail(SplitSchema, { merchant });
  const calls = [
    deploymentTransaction(receiptFactoryDeployment()),
    deploymentTransaction({ salt: salt!, initCode: initCode! }),
    collectCall({
      ...{ factory, split, token: world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address },
      salts: addresses.map(receiptSalt),
      payees: recipients.map(({ address }) => address),
    }),
  ];
  for (const { to, data } of calls) {
    const sent = await askLocalWallet(world.chain, 'buyer', {
      method: 'eth_sendTransaction',
      params: [{ to, data, gas: '0x4c4b40' }],
    });
    const hash = 'result' in sent ? (sent.result as Hash) : null;
    // Another test may have deployed the factory.
    if (hash) await world.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  }
}

test('money that is not collected yet counts as the merchant’s share, to the base unit', async () => {
  const { wallet: merchant } = await world.merchant();
  for (const amount of [1_000_001n, 1_000_001n, 1_000_001n]) await arrive(merchant, amount);
  await confirm();
  expect(await usdcOf(merchant)).toEqual({ available: shareOf(3_000_003n), reserved: 0n });
  await arrive(merchant, 2_000_000n, 1_000);
  await confirm();
  expect(await usdcOf(merchant)).toEqual({
    available: shareOf(5_000_003n) - shareOf(2_000_000n),
    reserved: shareOf(2_000_000n),
  });
});

test('collecting changes nothing of what a merchant has, whenever the watcher sees it', async () => {
  const { wallet: merchant } = await world.merchant();
  const amounts = [1_000_001n, 2_000_003n, 3_000_005n];
  for (const amount of amounts) await arrive(merchant, amount);
  await confirm();
  const before = await usdcOf(merchant);
  expect(before.available).toBe(shareOf(6_000_009n));
  // The chain has the collection, the watcher has not read it.
  await collectAll(merchant);
  expect(await usdcOf(merchant)).toEqual(before);
  await world.look();
  expect(await usdcOf(merchant)).toEqual(before);
  await confirm();
  expect(await usdcOf(merchant)).toEqual(before);
});

test('a collection that the watcher is about to pass is not missing while its block is stored', async () => {
  const { wallet: merchant } = await world.merchant();
  const payTo = await arrive(merchant, 4_000_000n);
  await confirm();
  const before = await usdcOf(merchant);
  const { scanned } = (await world.look()).cursor;
  await collectAll(merchant);
  await world.look();
  const sql = (text: string, parameters: unknown[]) => world.deps.db.orm.em.fork().execute(text, parameters);
  // As if the process had stored the rows of the blocks and not moved the cursor.
  await sql('update chain_cursors set scanned = ? where chain_id = ?', [scanned, world.chain.chainId]);
  expect(await sql('select collected from transfers where pay_to = ? and split is not null', [payTo])).toEqual([
    { collected: true },
  ]);
  expect(await usdcOf(merchant)).toEqual(before);
});
