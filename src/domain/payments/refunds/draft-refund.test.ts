import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReceipt } from '../../sales/receipts/read.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { openWorld, randomWallet, type World } from '../test/world.ts';
import { draftRefunds } from './draft-refund.ts';
import { type Paid, refunding, refused } from './test/refunding.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.stop());

const { confirm, paid, refund, send } = refunding(() => world);
const draft = async ({ merchant, receiptId, buyer }: Paid, usdCents: number, to: Paid['buyer'] | null = buyer) => {
  const [only, ...others] = await draftRefunds(world.deps, { merchant, receiptId, usdCents, buyer: to });
  expect(others).toEqual([]);
  return only!;
};

test('a draft is a call of the token that paid, to the base unit, and what it sends proves the refund', async () => {
  const receipt = await paid(1_250);
  const part = await draft(receipt, 401);
  expect(part).toMatchObject({
    amount: 4_010_000n,
    buyer: receipt.buyer,
    value: 0n,
    direct: false,
    to: part.token.address,
  });
  expect(part.data).toBe(
    `0xa9059cbb${receipt.buyer.slice(2).padStart(64, '0')}${(4_010_000).toString(16).padStart(64, '0')}`,
  );
  const txHash = await send(receipt.buyer, part.amount);
  expect(await refund(receipt, 4.01, { txHash })).toMatchObject({ status: 'paid' });
  const rest = await draft(receipt, 849);
  const last = await send(receipt.buyer, rest.amount);
  expect(await refund(receipt, 8.49, { txHash: last })).toMatchObject({ status: 'refunded' });
});

test('native coins go to the buyer by themselves, as many as the payment’s rate asks for, and say that a contract proves nothing', async () => {
  const receipt = await paid(2_000, 'ETH');
  const whole = await draft(receipt, 2_000);
  expect(whole).toMatchObject({ to: receipt.buyer, data: '0x', value: whole.amount, direct: true });
  // The amount that identified the payment is more than the price; half of the price is half of the rest.
  expect(whole.amount).toBeLessThanOrEqual(BigInt(receipt.quote.amount));
  const half = await draft(receipt, 1_000);
  expect(half.amount * 2n - whole.amount).toBeLessThanOrEqual(1n);
  const txHash = await send(receipt.buyer, whole.amount, 'ETH');
  expect(await refund(receipt, 20, { txHash })).toMatchObject({ status: 'refunded' });
});

test('coins that are sent back in parts are sent back in full, though each part is rounded up', async () => {
  const receipt = await paid(2_000, 'ETH');
  for (const [cents, status] of [
    [401, 'paid'],
    [333, 'paid'],
    [1_266, 'refunded'],
  ] as const) {
    const { amount, usdCents } = await draft(receipt, cents);
    expect(usdCents).toBe(cents);
    const txHash = await send(receipt.buyer, amount, 'ETH');
    expect(await refund(receipt, cents / 100, { txHash })).toMatchObject({ status });
  }
});

test('a payment in two tokens whose parts have fractions of a cent is sent back in full', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  const pay = async (token: string, amount: string) => {
    const quote = await quotePayment(world.deps, { merchant, receiptId, token });
    await world.pay({ ...quote, amount });
    await confirm();
  };
  await pay('USDC', '3335000');
  await pay('USDT', '6665000');
  const buyer = randomWallet();
  const parts = await draftRefunds(world.deps, { merchant, receiptId, usdCents: 1_000, buyer });
  expect(parts.map(({ token, usdCents }) => [token.symbol, usdCents])).toEqual([
    ['USDT', 667],
    ['USDC', 333],
  ]);
  const receipt = { merchant, receiptId, buyer };
  for (const [n, { token, amount, usdCents }] of parts.entries()) {
    const txHash = await send(buyer, amount, token.symbol);
    const status = n === 0 ? 'paid' : 'refunded';
    expect(await refund(receipt, usdCents / 100, { txHash })).toMatchObject({ status });
  }
});

test('without a buyer the money goes back to the wallet that paid', async () => {
  const receipt = await paid(500);
  const { buyerWallet } = await readReceipt(world.deps.db, receipt.merchant, receipt.receiptId);
  expect(buyerWallet).not.toBeNull();
  expect((await draft(receipt, 500, null)).buyer).toBe(buyerWallet);
});

test('more than is left, a receipt without a payment, and the merchant as buyer are refused', async () => {
  const receipt = await paid(500);
  await expect(draft(receipt, 501)).rejects.toMatchObject(refused('invalid_usd', 'usd'));
  await expect(draft(receipt, 100, receipt.merchant)).rejects.toMatchObject(refused('invalid_buyer', 'buyer'));
  await expect(draft(receipt, 100, receipt.split)).rejects.toMatchObject(refused('invalid_buyer', 'buyer'));
  const receiptId = await world.receipt(receipt.merchant, 700);
  await expect(draft({ ...receipt, receiptId }, 700)).rejects.toMatchObject(refused('invalid_input', 'receiptId'));
  await expect(draft({ ...receipt, receiptId: 'none' }, 700)).rejects.toMatchObject(refused('not_found'));
});
