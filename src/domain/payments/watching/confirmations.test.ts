import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRelay } from '../../../../test/support/relay.ts';
import { createChain } from '../../../base/chain/client.ts';
import { openNode, type RpcCall } from '../../../base/chain/test/node.ts';
import { parseFinality } from '../../../base/core/finality.ts';
import { listenForAlarms } from '../../../base/platform/test/alarms.ts';
import { type Quoted, quoted, submitSigned } from '../test/quoted.ts';
import { openWorld, type World } from '../test/world.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { checkTags, readProgress } from './confirmations.ts';
import { scan } from './scan.ts';
import { reportStuck, stuckAfterMs } from './stuck.ts';

// The local chain's safe block is 32 blocks below its head, the finalized one 64.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const FINALITY = parseFinality('{"0": 2, "1000": 12, "5000": "safe", "10000": "finalized"}');

/** The watcher with confirmations by amount. */
function watching({ rpcUrl = world.rpcUrl, rpcFallbackUrls = [] as string[], finality = FINALITY } = {}) {
  const { log, alarms } = listenForAlarms();
  const chain = createChain({ ...world.chain, rpcUrl, rpcFallbackUrls, finality });
  const base = { ...world.deps, chain, log };
  const deps = { ...base, watched: watchAddresses(base) };
  const look = async () => {
    for (let found = await scan(deps); found.again; ) found = await scan(deps);
  };
  return { deps, alarms, look };
}

const statusOf = ({ merchant, receiptId }: Quoted) => world.status(merchant, receiptId);

const asksForTag = ({ method, params }: RpcCall): boolean =>
  method === 'eth_getBlockByNumber' && String(params?.[0]) === 'finalized';

/** Pays a receipt and scans its block. */
async function paid(totalCents: number, look: () => Promise<unknown>): Promise<Quoted> {
  const receipt = await quoted(world, totalCents);
  await world.pay(receipt.quote);
  await look();
  expect(await statusOf(receipt)).toBe('tx_mined');
  return receipt;
}

test('a small receipt is paid after 2 blocks; larger ones wait for 12, for the safe and for the finalized block', async () => {
  const { deps, look } = watching();
  const receipts: Quoted[] = [];
  for (const cents of [99_999, 100_000, 500_000, 1_000_000]) receipts.push(await paid(cents, look));
  const needs = await Promise.all(receipts.map(({ merchant, receiptId }) => readProgress(deps, merchant, receiptId)));
  expect(needs).toMatchObject([
    { confirmationsNeeded: 2, confirmationTag: null, expectedConfirmationMs: 2_000 },
    { confirmationsNeeded: 12, confirmationTag: null, expectedConfirmationMs: 12_000 },
    { confirmationsNeeded: 32, confirmationTag: 'safe', expectedConfirmationMs: 32_000 },
    { confirmationsNeeded: 64, confirmationTag: 'finalized', expectedConfirmationMs: 64_000 },
  ]);
  // Each payment takes two blocks, so those before the last one are 6, 4 and 2 blocks deep.
  const paidAfter: [number, number][] = [];
  let mined = 0;
  for (const blocks of [0, 7, 1, 21, 1, 33, 1]) {
    await world.mine(blocks);
    mined += blocks;
    await look();
    const statuses = await Promise.all(receipts.map(statusOf));
    paidAfter.push([mined, statuses.filter((status) => status === 'paid').length]);
  }
  expect(paidAfter).toEqual([
    [0, 1],
    [7, 1],
    [8, 2],
    [29, 2],
    [30, 3],
    [63, 3],
    [64, 4],
  ]);
});

test('a surplus counts: a small receipt that is paid with a large amount waits as long as a large one', async () => {
  const { deps, look } = watching();
  const receipt = await quoted(world, 1_000);
  const { payTo, token, amount } = receipt.quote;
  await submitSigned(world, receipt, await world.pay({ payTo, token, amount: String(BigInt(amount) * 200n) }));
  expect(await statusOf(receipt)).toBe('tx_mined');
  const { merchant, receiptId } = receipt;
  expect(await readProgress(deps, merchant, receiptId)).toMatchObject({ confirmationsNeeded: 12 });
  for (const [blocks, status] of [
    [11, 'tx_mined'],
    [1, 'paid'],
  ] as const) {
    await world.mine(blocks);
    await look();
    expect(await statusOf(receipt)).toBe(status);
  }
});

test('a large payment whose block is replaced after 2 blocks was never paid, and is paid in its new block', async () => {
  const { look } = watching();
  const snapshot = await world.control.snapshot();
  const receipt = await quoted(world, 200_000);
  await world.pay(receipt.quote);
  await world.mine(5);
  await look();
  await look();
  expect(await statusOf(receipt)).toBe('tx_mined');
  await world.control.revert({ id: snapshot });
  await world.mine(8);
  await look();
  expect(await statusOf(receipt)).toBe('pending');
  await world.pay(receipt.quote);
  await world.mine(12);
  await look();
  await look();
  expect(await statusOf(receipt)).toBe('paid');
});

test('a node that does not know the tag is reported once, and the payment waits for the usual number of blocks', async () => {
  const rpcUrl = await openNode(world.rpcUrl, async (call) =>
    asksForTag(call) ? { error: { code: -32602, message: 'unknown block tag' } } : null,
  );
  const { deps, alarms, look } = watching({ rpcUrl });
  await checkTags(deps.chain, deps.log);
  expect(alarms).toEqual(['finality_tag_unknown']);
  const receipt = await paid(1_000_000, look);
  await world.mine(63);
  await look();
  expect(await statusOf(receipt)).toBe('tx_mined');
  await world.mine(1);
  await look();
  expect(await statusOf(receipt)).toBe('paid');
  expect(alarms).toEqual(['finality_tag_unknown']);
});

test('a node that does not answer the question for the tag delays the payment, and nothing else', async () => {
  let answers = false;
  const rpcUrl = await openNode(world.rpcUrl, async (call) =>
    !answers && asksForTag(call) ? { error: { code: -32005, message: 'limit exceeded' } } : null,
  );
  const { alarms, look } = watching({ rpcUrl });
  const [large, small] = [await paid(1_000_000, look), await paid(1_000, look)];
  await world.mine(70);
  await look();
  expect([await statusOf(large), await statusOf(small)]).toEqual(['tx_mined', 'paid']);
  expect(alarms).toEqual([]);
  answers = true;
  await look();
  expect(await statusOf(large)).toBe('paid');
});

test('two endpoints must both see the payment at the depth of its amount', async () => {
  const second = await openRelay(world.rpcUrl);
  const { look } = watching({ rpcFallbackUrls: [second.url] });
  const receipt = await paid(600_000, look);
  await world.mine(31);
  await look();
  expect(await statusOf(receipt)).toBe('tx_mined');
  await world.mine(1);
  await look();
  expect(await statusOf(receipt)).toBe('paid');
});

test('every payment may wait for a tag: CONFIRMATIONS=finalized', async () => {
  const { look } = watching({ finality: parseFinality('finalized') });
  const receipt = await paid(1_000, look);
  await world.mine(63);
  await look();
  expect(await statusOf(receipt)).toBe('tx_mined');
  await world.mine(1);
  await look();
  expect(await statusOf(receipt)).toBe('paid');
});

test('a large receipt is stuck only after three times its own expected time', async () => {
  const { deps, alarms, look } = watching();
  await paid(1_000_000, look);
  // The blocks of this chain have no pace of their own.
  await deps.db.orm.em.fork().execute('update chain_blocks set time_ms = number * 10000');
  const limitMs = await stuckAfterMs(deps.db, deps.chain);
  const reported = new Set<string>();
  const smallMs = limitMs(0);
  const largeMs = limitMs(1_000_000);
  expect(largeMs).toBeGreaterThan(smallMs);
  const later = (ms: number) => ({ ...deps, clock: () => Date.now() + ms });
  await reportStuck(later(smallMs + 1_000), reported);
  expect(alarms).toEqual([]);
  await reportStuck(later(largeMs + 60_000), reported);
  expect(alarms).toEqual(['receipt_stuck']);
});
