import { afterAll, beforeAll, expect, test } from 'vitest';
import { revertTransfer } from '../watching/reorg.ts';
import { payTwice, quoted, quotedPast, storedTransfer, submitSigned } from './quoted.ts';
import { openWorld, type World } from './world.ts';

// Transfers that are matched to a receipt only after their confirmations.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** Mines past full depth and lets the watcher confirm the transfers. */
async function pastTheDepth(): Promise<void> {
  await world.mine(4);
  await world.look();
}

test('a payment straight to the split that its sender signs for after its confirmations is paid', async () => {
  const { merchant, receiptId, quote } = await quotedPast(world, 1_000);
  const hash = await world.pay(quote);
  await pastTheDepth();
  await submitSigned(world, { merchant, receiptId }, hash);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
});

test('a confirmed duplicate that replaces a lost payment is paid', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const [first, second] = await payTwice(world, quote);
  const em = world.deps.db.orm.em.fork();
  await em.execute('update transfers set confirmed_at = 1 where transaction_hash = ?', [second]);
  await world.mine(4);
  await revertTransfer(world.deps, await storedTransfer(world, first));
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', transactionHash: second });
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'paid', transactionHash: second });
});
