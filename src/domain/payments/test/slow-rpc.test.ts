import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openRelay } from '../../../../test/support/relay.ts';
import { createChain, patiently } from '../../../base/chain/client.ts';
import { type NodeBehaviour, openNode, type RequestBehaviour, type RpcCall } from '../../../base/chain/test/node.ts';
import { settlementLoop } from '../../settlement/shares/settle.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { scan } from '../watching/scan.ts';
import { startPaymentWorker } from '../watching/worker.ts';
import { type Quoted, quoted } from './quoted.ts';
import { openWorld, type World } from './world.ts';

// Nodes limit their responses by blocks, calls, time or rate, each with different errors. Every payment is found
// nevertheless.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** The world's chain through a node with limits. */
async function through(answer: NodeBehaviour, refuse?: RequestBehaviour, confirmations = 2) {
  const rpcUrl = await openNode(world.rpcUrl, answer, refuse);
  const watcherTimeouts = { logsMs: 400, othersMs: 5_000 };
  const chain = patiently(createChain({ ...world.chain, rpcUrl, watcherTimeouts, confirmations }));
  const base = { ...world.deps, chain };
  return { ...base, watched: watchAddresses(base) };
}

const statusOf = ({ merchant, receiptId }: Quoted) => world.status(merchant, receiptId);

const rangeOf = ({ params: [filter] = [] }: RpcCall) => ({
  from: Number(filter!.fromBlock),
  to: Number(filter!.toBlock),
});
const isLogs = ({ method }: RpcCall) => method === 'eth_getLogs';
const spanOf = (call: RpcCall) => rangeOf(call).to - rangeOf(call).from + 1;

/** An undetected payment that is `blocks` below the head. */
async function paidLongAgo(blocks: number): Promise<Quoted> {
  await world.look();
  const paid = await quoted(world, 1_000);
  await world.pay(paid.quote);
  await world.mine(blocks);
  return paid;
}

test('a payment is found through an RPC that times out for large ranges', async () => {
  const paid = await paidLongAgo(1_500);
  const deps = await through(async (call) => {
    if (isLogs(call) && spanOf(call) > 300) await setTimeout(1_500);
    return null;
  });
  await scan(deps);
  expect(await statusOf(paid)).toBe('paid');
});

test('a payment is found through an RPC that reads ten blocks at a time, with few refused reads', async () => {
  const paid = await paidLongAgo(300);
  let refused = 0;
  const deps = await through(async (call) => {
    if (!isLogs(call) || spanOf(call) <= 10) return null;
    refused += 1;
    return { error: { code: -32600, message: 'You can make eth_getLogs requests with up to a 10 block range.' } };
  });
  await scan(deps);
  expect(await statusOf(paid)).toBe('paid');
  expect(refused).toBeLessThan(40);
});

const tooMany = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Too many eth_getLogs in the batch' } };
const batched = (asked: RpcCall | RpcCall[], max: number) => Array.isArray(asked) && asked.length > max;

test.each<[string, RequestBehaviour]>([
  [
    'refuses a batch of two with one error object',
    (asked) => (batched(asked, 1) ? { status: 200, body: tooMany } : null),
  ],
  ['accepts no batch at all', (asked) => (Array.isArray(asked) ? { status: 200, body: tooMany } : null)],
  ['refuses a batch with status 400', (asked) => (batched(asked, 1) ? { status: 400, body: tooMany } : null)],
  [
    'refuses a batch with status 413 and no JSON',
    (asked) => (batched(asked, 3) ? { status: 413, body: 'too large' } : null),
  ],
])('a payment is found through an RPC that %s', async (_, refuse) => {
  const paid = await paidLongAgo(30);
  await scan(await through(async () => null, refuse));
  expect(await statusOf(paid)).toBe('paid');
});

test('a long catch-up pays receipts as it goes, even if it is interrupted', async () => {
  const paid = await paidLongAgo(100);
  const head = Number(await world.chain.client.getBlockNumber());
  const deps = await through(async (call) => {
    if (isLogs(call) && (spanOf(call) > 10 || rangeOf(call).to > head - 30))
      return { error: { code: -32000, message: 'failed to get logs' } };
    return null;
  });
  await expect(scan(deps)).rejects.toMatchObject({ code: 'chain_unavailable' });
  expect(await statusOf(paid)).toBe('paid');
});

test('a payment omitted by an RPC during a catch-up is found by the second read', async () => {
  const paid = await paidLongAgo(50);
  const read = new Set<string>();
  const deps = await through(async (call) => {
    const range = JSON.stringify(call.params);
    if (!isLogs(call) || read.has(range)) return null;
    read.add(range);
    return { result: [] };
  });
  await scan(deps);
  expect(await statusOf(paid)).toBe('paid');
});

test.each([
  [429, 'Too many requests'],
  [-32005, 'daily request count exceeded, request rate limited'],
  [-32007, '50/second request limit reached'],
])(
  'an RPC that limits the rate with %i is not queried for smaller ranges, which would be more calls',
  async (code, message) => {
    const paid = await paidLongAgo(50);
    const limit = { active: true, asked: 0 };
    const deps = await through(async (call) => {
      if (!isLogs(call) || !limit.active) return null;
      limit.asked += 1;
      return { error: { code, message } };
    });
    const { chain } = deps;
    const before = chain.logRange.blocks();
    await expect(scan(deps)).rejects.toMatchObject({ code: 'chain_unavailable' });
    expect(limit.asked).toBe(2);
    expect(chain.logRange.blocks()).toBe(before);
    limit.active = false;
    await scan(deps);
    expect(await statusOf(paid)).toBe('paid');
  },
);

test('an error object that limits the rate of a whole batch does not split it into several requests', async () => {
  await paidLongAgo(50);
  let requests = 0;
  const limited = { jsonrpc: '2.0', id: null, error: { code: -32005, message: 'rate limited' } };
  const deps = await through(
    async () => null,
    (asked) => {
      if (![asked].flat().some(isLogs)) return null;
      requests += 1;
      return { status: 200, body: limited };
    },
  );
  await expect(scan(deps)).rejects.toMatchObject({ code: 'chain_unavailable' });
  expect(requests).toBe(1);
});

test('a block without payments costs two and a half log reads and two other calls', async () => {
  const calls: string[] = [];
  const deps = await through(
    async ({ method }) => {
      calls.push(method);
      return null;
    },
    undefined,
    12,
  );
  await quoted(world, 1_000);
  await world.mine(30);
  await scan(deps);
  calls.length = 0;
  const blocks = 12;
  for (let i = 0; i < blocks; i++) {
    await world.mine(1);
    await scan(deps);
  }
  const count = (method: string) => calls.filter((called) => called === method).length;
  expect({
    logs: count('eth_getLogs'),
    blocks: count('eth_getBlockByNumber'),
    chainIds: count('eth_chainId'),
    all: calls.length,
  }).toEqual({ logs: 30, blocks: 12, chainIds: 12, all: 54 });
});

test('a worker whose RPC is down lets another one watch, and watches again if it is the only one', async () => {
  const relay = await openRelay(world.rpcUrl);
  const dead = createChain({ ...world.chain, rpcUrl: relay.url });
  const start = (deps: Parameters<typeof startPaymentWorker>[0]) => {
    const worker = startPaymentWorker(deps, settlementLoop(deps));
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= worker.stop();
      return stopped;
    };
    onTestFinished(stop);
    return stop;
  };

  const before = await quoted(world, 1_000);
  start({ ...world.deps, chain: dead });
  await world.pay(before.quote);
  await world.reached(before.merchant, before.receiptId, 'tx_mined');
  await relay.cut();
  const stopStandby = start(world.deps);
  const after = await quoted(world, 1_000);
  await world.pay(after.quote);
  await world.reached(after.merchant, after.receiptId, 'tx_mined');

  await relay.mend();
  await stopStandby();
  await world.mine(2);
  await world.reached(after.merchant, after.receiptId, 'paid');
}, 300_000);
