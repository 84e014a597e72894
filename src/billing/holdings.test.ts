import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { quotePayment } from '../payments/quote-payment.ts';
import { submitTransaction } from '../payments/submit.ts';
import { claimOf } from '../payments/test/quoted.ts';
import { openWorld, randomWallet, type World } from '../payments/test/world.ts';
import { refunding } from '../refunds/test/refunding.ts';
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
