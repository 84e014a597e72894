import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTransfersOf } from '../../../base/chain/transfers.ts';
import { readCursor } from '../../../base/onchain/blocks/cursor.ts';
import { type MatchDeps, recordTransfer } from '../matching/match.ts';
import { submitTransaction } from '../matching/submit.ts';
import { followHints } from '../matching/transaction-hints.ts';
import { revertTransfer, rewind } from '../watching/reorg.ts';
import { payTwice, quoted, storedTransfer, submitSigned } from './quoted.ts';
import { openWorld, type World } from './world.ts';

// The process may end between any two transactions of a scan, and the chain may change before the next one. The
// simulator (`npm run long -- simulate`) found these orders of events.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** The product in a process that ends with its nth statement outside of a transaction. */
function endingAfter(statements: number): MatchDeps {
  const { db } = world.deps;
  let left = statements;
  const run: typeof db.run = (query, parameters) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('the process ended')) : db.run(query, parameters);
  };
  return { ...world.deps, db: { ...db, run } };
}

/** Replaces the newest block by another one with the same transaction. */
async function replaceNewestBlock(hash: `0x${string}`): Promise<void> {
  const ofTransaction = { method: 'eth_getRawTransactionByHash' as never, params: [hash] as never };
  const raw = await world.chain.client.request(ofTransaction);
  await world.control.increaseTime({ seconds: 7 });
  await world.control.request({ method: 'anvil_reorg' as never, params: [1, [[raw, 0]]] as never });
}

test('a block that is replaced after its payment was stored, and before the cursor moved, does not stop the watcher', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  await world.look();
  const hash = await world.pay(quote);
  const { transfers } = await readTransfersOf(world.chain, hash, world.deps.watched);
  for (const transfer of transfers) await recordTransfer(world.deps, transfer);
  const { blockHash } = await storedTransfer(world, hash);

  await replaceNewestBlock(hash);
  await world.mine(2);
  await world.look();
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'paid', transactionHash: hash });
  expect((await storedTransfer(world, hash)).blockHash).not.toBe(blockHash);
});

test('a payment that was taken back counts again once its block has returned, whenever the process ended meanwhile', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  await world.look();
  const hash = await world.pay(quote, -1n);
  await submitSigned(world, { merchant, receiptId }, hash);
  await world.mine(3);
  await world.look();
  const { blockNumber, confirmedAt } = await storedTransfer(world, hash);
  expect(confirmedAt).not.toBeNull();

  let hasEnded = true;
  for (let statements = 0; hasEnded; statements++) {
    // For a moment the node shows another branch.
    const cursor = await readCursor(world.deps);
    hasEnded = await rewind(endingAfter(statements), cursor!, blockNumber - 1).then(
      () => false,
      () => true,
    );
    while ((await world.look()).again);
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mismatch', transactionHash: hash });
    expect((await storedTransfer(world, hash)).confirmedAt).not.toBeNull();
  }
});

test('a hint to a block that no scan has seen waits for the next scan', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  await world.look();
  const hash = await world.pay(quote);
  const { cursor } = await world.look();
  const { blockHash } = await storedTransfer(world, hash);
  await replaceNewestBlock(hash);
  await submitTransaction(world.deps, { merchant, receiptId, transactionHash: hash });
  await followHints(world.deps, cursor);
  expect((await storedTransfer(world, hash)).blockHash).toBe(blockHash);
  const { cursor: next } = await world.look();
  await followHints(world.deps, next);
  expect((await storedTransfer(world, hash)).blockHash).not.toBe(blockHash);
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
});

test('a payment is taken back together with its duplicate becoming the payment, or not at all', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const [first, second] = await payTwice(world, quote);
  const paying = await storedTransfer(world, first);
  let hasEnded = true;
  for (let statements = 0; hasEnded; statements++) {
    hasEnded = await revertTransfer(endingAfter(statements), paying).then(
      () => false,
      () => true,
    );
    const transactionHash = hasEnded ? first : second;
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', transactionHash });
  }
});
