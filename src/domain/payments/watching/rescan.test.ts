import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createChain } from '../../../base/chain/client.ts';
import { openNode } from '../../../base/chain/test/node.ts';
import { newAddress } from '../../sales/receipts/addresses.ts';
import { settlementLoop } from '../../settlement/shares/settle.ts';
import { quoted } from '../test/quoted.ts';
import { openWorld, type World } from '../test/world.ts';
import { rescan, rescanReceipts } from './rescan.ts';
import { startPaymentWorker } from './worker.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const readCursor = async () => {
  const [row] = await world.deps.db.orm.em
    .fork()
    .execute<{ confirmed: number }[]>('select confirmed::int from chain_cursors where chain_id = 31337');
  return row!;
};

test('a rescan beside a running watcher finds a payment that both reads missed, once, and it is paid', async () => {
  const rpcUrl = await openNode(world.rpcUrl, async ({ method }) => (method === 'eth_getLogs' ? { result: [] } : null));
  await world.look();
  const worker = startPaymentWorker(
    { ...world.deps, chain: createChain({ ...world.chain, rpcUrl }) },
    settlementLoop(world.deps),
  );
  onTestFinished(() => worker.stop());
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const hash = await world.pay(quote);
  const block = Number((await world.chain.client.waitForTransactionReceipt({ hash })).blockNumber);
  await world.mine(3);
  await vi.waitFor(async () => expect((await readCursor()).confirmed).toBeGreaterThan(block));
  expect(await world.status(merchant, receiptId)).toBe('pending');

  const range = { fromBlock: block - 1, toBlock: block + 1 };
  expect(await rescan(world.deps, range)).toEqual({ ...range, found: 1, added: 1 });
  expect(await rescan(world.deps, range)).toEqual({ ...range, found: 1, added: 0 });
  expect(await world.status(merchant, receiptId)).toBe('paid');
  const paid = (await world.history(merchant, receiptId)).filter(({ what }) => what === 'status:paid');
  expect(paid).toHaveLength(1);
});

test("a rescan ends at the watcher's position, and refuses blocks beyond it", async () => {
  await world.look();
  const head = Number(await world.chain.client.getBlockNumber());
  expect(await rescan(world.deps, { fromBlock: head, toBlock: head + 50 })).toMatchObject({ toBlock: head });
  const beyond = rescan(world.deps, { fromBlock: head + 1, toBlock: head + 50 });
  await expect(beyond).rejects.toMatchObject({ code: 'invalid_input' });
  const backwards = rescan(world.deps, { fromBlock: head, toBlock: head - 1 });
  await expect(backwards).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a receipt that is stored after the watcher has passed its payment is found by its own addresses', async () => {
  const { wallet: merchant } = await world.merchant();
  // By a server whose clock is ahead of the chain's.
  const createdAt = Number((await world.chain.client.getBlock()).timestamp) * 1_000 + 90_000;
  const split = await world.splitOf(merchant);
  const id = `R-late-${createdAt}`;
  const { address } = newAddress({ merchant, id, createdAt }, { split, onlyChainId: null });
  await world.pay({ token: 'USDC', payTo: address, amount: '4000000' });
  await world.pay({ token: 'ETH', payTo: address, amount: '1000000000000000' });
  await world.mine(700);
  await world.look();

  await world.receipt(merchant, 1_000, { id, createdAt });
  expect(await world.address(merchant, id)).toBe(address);
  await world.look();
  expect(await world.status(merchant, id)).toBe('generated');
  expect(await rescanReceipts(world.deps, [{ merchant, id }])).toMatchObject({ found: 1, added: 1 });
  expect(await world.status(merchant, id)).toBe('tx_mismatch');
  await world.pay({ token: 'USDC', payTo: address, amount: '6000000' });
  await world.mine(3);
  await world.look();
  expect(await world.status(merchant, id)).toBe('paid');
  // A receipt of a block that the watcher has not read is left to it.
  const next = await world.receipt(merchant, 1_000, { createdAt: Date.now() + 3_600_000 });
  await world.address(merchant, next);
  expect(await rescanReceipts(world.deps, [{ merchant, id: next }])).toBeNull();
});
