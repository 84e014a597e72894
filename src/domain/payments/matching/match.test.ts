import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { showQuote } from '../paying/quote-payment.ts';
import { quoted, quotedPast } from '../test/quoted.ts';
import { openWorld, type World } from '../test/world.ts';
import { assignTransfer } from '../unmatched/assign.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { submitTransaction } from './submit.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

test('an exact payment is detected at once and paid after its confirmations', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_250);
  const hash = await world.pay(quote);
  await world.look();
  const block = await world.chain.client.getBlock();
  expect(await world.read(merchant, receiptId)).toMatchObject({
    status: 'tx_mined',
    transactionHash: hash,
    transactionTimestamp: Number(block.timestamp) * 1000,
    paidToken: 'USDC',
    paidAmount: quote.amount,
    buyerWallet: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  });
  await world.mine(1);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  await world.mine(1);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect((await world.history(merchant, receiptId)).map(({ what }) => what)).toEqual([
    'status:pending',
    'status:tx_mined',
    'status:paid',
  ]);
  await world.look();
  expect((await world.read(merchant, receiptId)).seq).toBe(4);
});

test('an amount shown by a page without script pays too, and pending is recorded first', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 300);
  await world.pay(await showQuote(world.deps, { merchant, receiptId, token: 'USDT' }));
  await world.look();
  expect((await world.history(merchant, receiptId)).map(({ what }) => what)).toEqual([
    'status:pending',
    'status:tx_mined',
  ]);
});

test('the merchant can assign an unmatched transfer, even after its confirmations', async () => {
  const { merchant, receiptId, quote } = await quotedPast(world, 1_000);
  const hash = await world.pay(quote);
  await world.mine(2);
  await world.look();
  const assignment = { merchant, receiptId, transactionHash: hash, by: merchant };
  const { wallet: stranger } = await world.merchant();
  await expect(assignTransfer(world.deps, { ...assignment, merchant: stranger })).rejects.toMatchObject({
    code: 'not_found',
  });
  await assignTransfer(world.deps, assignment);
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  await expect(assignTransfer(world.deps, assignment)).rejects.toMatchObject({ code: 'not_found' });
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([]);
});

test('a hint must be a transaction hash, and at most twenty are accepted for one receipt', async () => {
  const { merchant, receiptId } = await quoted(world, 1_000);
  const hint = (transactionHash: string) => submitTransaction(world.deps, { merchant, receiptId, transactionHash });
  for (const form of ['0x12', 'hash', `0x${'g'.repeat(64)}`]) {
    await expect(hint(form)).rejects.toMatchObject({ code: 'invalid_input' });
  }
  await expect(
    submitTransaction(world.deps, { merchant, receiptId: 'R-none', transactionHash: `0x${'1'.repeat(64)}` }),
  ).rejects.toMatchObject({ code: 'not_found' });
  const hashOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
  for (let n = 1; n <= 20; n++) expect(await hint(hashOf(n))).toEqual({ receiptId, status: 'pending' });
  await expect(hint(hashOf(21))).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await hint(hashOf(20))).toEqual({ receiptId, status: 'pending' });
});
