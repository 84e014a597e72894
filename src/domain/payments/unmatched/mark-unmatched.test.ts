import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { submitTransaction } from '../matching/submit.ts';
import { followHints } from '../matching/transaction-hints.ts';
import { quotedPast } from '../test/quoted.ts';
import { openWorld, randomWallet, type World } from '../test/world.ts';
import { assignTransfer } from './assign.ts';
import { markUnmatched } from './mark-unmatched.ts';
import { listUnmatched } from './unmatched.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.stop());

/** A transfer straight to the split, with its confirmations unless specified otherwise. */
async function unmatched(confirmations = 3) {
  const { merchant, receiptId, quote } = await quotedPast(world, 1_000);
  const transactionHash = await world.pay(quote, -1_000_000n);
  await world.mine(confirmations);
  await world.look();
  await world.look();
  return { merchant, receiptId, transactionHash };
}
const mark = (merchant: Wallet, transactionHash: string, marked = true, by = merchant) =>
  markUnmatched(world.deps, { merchant, transactionHash, marked, by });

test('a marked transfer records by whom and when it was marked, and is listed separately', async () => {
  const { merchant, transactionHash } = await unmatched();
  const by = randomWallet();
  const marked = await mark(merchant, transactionHash, true, by);
  expect(marked).toMatchObject({ transactionHash, refundMarkedBy: by, refundMarkedAt: expect.any(Number) });
  expect(await mark(merchant, transactionHash)).toEqual(marked);
  expect(await rowsOf(listUnmatched(world.deps, merchant, { markedForRefund: true }))).toEqual([marked]);
  expect(await rowsOf(listUnmatched(world.deps, merchant, { markedForRefund: false }))).toEqual([]);
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([marked]);
});

test('a marked transfer can be neither assigned nor credited by a hint until the mark is removed', async () => {
  const { merchant, receiptId, transactionHash } = await unmatched();
  await mark(merchant, transactionHash);
  const assign = () => assignTransfer(world.deps, { merchant, transactionHash, receiptId, by: merchant });
  await expect(assign()).rejects.toMatchObject({ code: 'invalid_input', extra: { field: 'transactionHash' } });
  await submitTransaction(world.deps, { merchant, receiptId, transactionHash });
  const { cursor } = await world.look();
  await followHints(world.deps, cursor);
  expect(await world.status(merchant, receiptId)).toBe('pending');

  expect(await mark(merchant, transactionHash, false)).toMatchObject({ refundMarkedAt: null, refundMarkedBy: null });
  expect(await assign()).toMatchObject({ status: 'tx_mismatch' });
  await expect(mark(merchant, transactionHash)).rejects.toMatchObject({ code: 'not_found' });
});

test('a transfer that is unconfirmed, unknown or another merchant’s cannot be marked', async () => {
  const { merchant, transactionHash } = await unmatched(0);
  await expect(mark(merchant, transactionHash)).rejects.toMatchObject({
    code: 'invalid_input',
    extra: { field: 'transactionHash' },
  });
  await expect(mark(merchant, `0x${'11'.repeat(32)}`)).rejects.toMatchObject({ code: 'not_found' });
  await expect(mark(randomWallet(), transactionHash)).rejects.toMatchObject({ code: 'not_found' });
  expect(await rowsOf(listUnmatched(world.deps, merchant, { markedForRefund: true }))).toEqual([]);
});
