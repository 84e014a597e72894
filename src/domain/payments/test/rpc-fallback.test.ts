import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openRelay } from '../../../../test/support/relay.ts';
import { createChain } from '../../../base/chain/client.ts';
import { startTestChain } from '../../../base/chain/test/anvil.ts';
import { settlementLoop } from '../../settlement/shares/settle.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { readHeadSnapshot, scan } from '../watching/scan.ts';
import { startPaymentWorker } from '../watching/worker.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** The world's chain through several endpoints. */
function through(rpcUrl: string, ...rpcFallbackUrls: string[]) {
  const chain = createChain({ ...world.chain, rpcUrl, rpcFallbackUrls });
  const base = { ...world.deps, chain };
  return { ...base, watched: watchAddresses(base) };
}

async function quoted() {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  return { merchant, receiptId, quote: await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' }) };
}

const cursor = async () => {
  const [row] = await world.deps.db.orm.em
    .fork()
    .execute<{ scanned: number; confirmed: number }[]>(
      'select scanned::int, confirmed::int from chain_cursors where chain_id = 31337',
    );
  return row!;
};

test('with the first endpoint cut off payments are found through the second, and through the first once the second is cut off', async () => {
  const [first, second] = [await openRelay(world.rpcUrl), await openRelay(world.rpcUrl)];
  const deps = through(first.url, second.url);
  const worker = startPaymentWorker(deps, settlementLoop(deps));

  onTestFinished(() => worker.stop());
  const before = await quoted();
  await world.pay(before.quote);
  await world.reached(before.merchant, before.receiptId, 'tx_mined');

  await first.cut();
  await world.mine(2);
  await world.reached(before.merchant, before.receiptId, 'paid');
  const { merchant, receiptId, quote } = await quoted();
  await world.pay(quote);
  await world.reached(merchant, receiptId, 'tx_mined');

  await Promise.all([first.mend(), second.cut()]);
  await world.mine(2);
  await world.reached(merchant, receiptId, 'paid');
});

test('with both cut off the receipt stays pending, and the payment is found when one of them is back', async () => {
  const [first, second] = [await openRelay(world.rpcUrl), await openRelay(world.rpcUrl)];
  const deps = through(first.url, second.url);
  const { merchant, receiptId, quote } = await quoted();
  await Promise.all([first.cut(), second.cut()]);
  await world.pay(quote);
  await expect(scan(deps)).rejects.toMatchObject({ code: 'chain_unavailable' });
  expect(await world.status(merchant, receiptId)).toBe('pending');
  await second.mend();
  await vi.waitFor(async () => expect(await scan(deps)).toMatchObject({ again: false }));
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
});

test('a lagging fallback neither reverts nor misses a payment', async () => {
  const { merchant, receiptId, quote } = await quoted();
  await world.look();
  const height = await world.chain.client.getBlockNumber();
  // A node with the same history that has stopped since.
  const lagging = await startTestChain(['--fork-url', world.rpcUrl, '--fork-block-number', String(height)]);
  onTestFinished(() => lagging.stop());
  expect((await lagging.chain.client.getBlock({ blockNumber: height })).hash).toBe(
    (await world.chain.client.getBlock({ blockNumber: height })).hash,
  );

  const first = await openRelay(world.rpcUrl);
  const deps = through(first.url, lagging.rpcUrl);
  await world.pay(quote);
  await world.mine(1);
  await scan(deps);
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  const reached = await cursor();

  await first.cut();
  await vi.waitFor(async () => expect(await scan(deps)).toMatchObject({ again: false }));
  expect(await cursor()).toEqual(reached);
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');

  // The head of one node with the logs of another: a missing log proves nothing.
  await first.mend();
  const later = await quoted();
  await world.pay(later.quote);
  await world.mine(5);
  const ahead = through(first.url, lagging.rpcUrl);
  const sight = await readHeadSnapshot(ahead.chain);
  await first.cut();
  expect(await scan(ahead, { snapshot: sight })).toMatchObject({ again: true });
  expect(await cursor()).toEqual(reached);
  await first.mend();
  await scan(through(first.url, lagging.rpcUrl));
  expect(await world.status(later.merchant, later.receiptId)).toBe('paid');
  expect(await world.status(merchant, receiptId)).toBe('paid');
});

test('a first endpoint that starts to serve another chain is abandoned at once', async () => {
  const liar = await startTestChain();
  onTestFinished(() => liar.stop());
  await liar.control.request({ method: 'anvil_setChainId' as never, params: [1] as never });
  await liar.control.mine({ blocks: 1_000 });
  const first = await openRelay(world.rpcUrl);
  const deps = through(first.url, world.rpcUrl);
  const { merchant, receiptId, quote } = await quoted();
  await world.pay(quote);
  await scan(deps);
  const reached = await cursor();
  await first.cut();
  first.leadTo(liar.rpcUrl);
  await first.mend();
  await vi.waitFor(async () => expect(await scan(deps)).toMatchObject({ again: false }));
  expect(await cursor()).toEqual(reached);
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  await world.mine(2);
  await scan(deps);
  expect(await world.status(merchant, receiptId)).toBe('paid');
});
