import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { expireReceipts } from '../../sales/receipts/end.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { revertTransfer } from '../watching/reorg.ts';
import { payPart, type Quoted, quoted, storedTransfer } from './quoted.ts';
import { expire } from './terms.ts';
import { transfersOfReceipt } from './transfers-of-receipt.ts';
import { openWorld, type World } from './world.ts';

// Amounts that are too small to matter, alone and with others, through reorganisations and the end of the receipt.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const HOUR_MS = 3_600_000;

const pay = (to: Quoted, amount: string) => payPart(world, to, amount);
async function confirm(): Promise<void> {
  await world.mine(3);
  await world.look();
}
const revert = async (hash: `0x${string}`) => revertTransfer(world.deps, await storedTransfer(world, hash));
const read = async ({ merchant, receiptId }: Quoted) => {
  const { status, buyerWallet, transactionHash, closedAt } = await world.read(merchant, receiptId);
  return { status, hasBuyer: buyerWallet != null, hasTransaction: transactionHash != null, isClosed: closedAt != null };
};
const whats = async ({ merchant, receiptId }: { merchant: Wallet; receiptId: string }) =>
  (await world.history(merchant, receiptId)).map(({ what }) => what);

const WAITS = { status: 'pending', hasBuyer: false, hasTransaction: false, isClosed: false };
const PART = { status: 'tx_mismatch', hasBuyer: true, hasTransaction: true, isClosed: false };

test('dust leaves a receipt as it was, and a reorganisation that takes it back does too', async () => {
  const receipt = await quoted(world, 8_000);
  const hash = await pay(receipt, '799999');
  expect(await read(receipt)).toEqual(WAITS);
  await confirm();
  expect(await read(receipt)).toEqual(WAITS);
  await revert(hash);
  expect(await read(receipt)).toEqual(WAITS);
  expect(await whats(receipt)).toEqual(['status:pending', 'note:dust_received', 'note:payment_lost']);
  expect(await transfersOfReceipt(world, receipt)).toEqual([]);
});

test('a reorganisation of the money that made dust count leaves the dust, without a buyer', async () => {
  const receipt = await quoted(world, 8_000);
  await pay(receipt, '500000');
  const part = await pay(receipt, '300000');
  expect(await read(receipt)).toEqual(PART);
  await revert(part);
  expect(await read(receipt)).toEqual(WAITS);
  expect(await transfersOfReceipt(world, receipt)).toMatchObject([{ amount: '500000' }]);
  await world.pay(await quotePayment(world.deps, { ...receipt, token: 'USDC' }));
  await confirm();
  expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('paid');
});

test('a receipt of less than a dollar counts from a cent on, also if the dust has its confirmations', async () => {
  const receipt = await quoted(world, 50);
  await pay(receipt, '9000');
  await confirm();
  expect(await read(receipt)).toEqual(WAITS);
  await pay(receipt, '1000');
  expect(await read(receipt)).toEqual(PART);
  await world.pay(await quotePayment(world.deps, { ...receipt, token: 'USDC' }));
  await confirm();
  expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('paid');
});

test('late dust does not open a receipt again, and a late part does until late money is accepted no longer', async () => {
  const receipt = await quoted(world, 8_000);
  await expire(world, receipt.merchant, receipt.receiptId, HOUR_MS);
  await pay(receipt, '1');
  expect(await read(receipt)).toEqual({ ...WAITS, status: 'failed', isClosed: true });
  await pay(receipt, '4000000');
  expect(await read(receipt)).toEqual(PART);
  await expire(world, receipt.merchant, receipt.receiptId, 25 * HOUR_MS);
  expect(await read(receipt)).toEqual({ ...PART, status: 'failed', isClosed: true });
});

test('a payment that a reorganisation makes a part, after the end, waits for one more hour', async () => {
  const receipt = await quoted(world, 8_000);
  await pay(receipt, '4000000');
  const rest = await quotePayment(world.deps, { ...receipt, token: 'USDC' });
  const hash = await world.pay(rest);
  await world.look();
  await expire(world, receipt.merchant, receipt.receiptId, 48 * HOUR_MS);
  expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('tx_mined');
  await revert(hash);
  await expireReceipts(world.deps);
  expect(await read(receipt)).toEqual(PART);
  const { expiresAt } = await world.read(receipt.merchant, receipt.receiptId);
  expect(expiresAt).toBeGreaterThan(Date.now());
});
