import { encodeFunctionData, erc20Abi, pad, toHex } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { createChain } from '../../../base/chain/client.ts';
import { type NodeBehaviour, openNode, type RpcAnswer } from '../../../base/chain/test/node.ts';
import { settlementLoop } from '../../settlement/shares/settle.ts';
import { submitTransaction } from '../matching/submit.ts';
import { followHints } from '../matching/transaction-hints.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { scan } from '../watching/scan.ts';
import { startPaymentWorker } from '../watching/worker.ts';
import { type Quoted, quoted } from './quoted.ts';
import { openWorld, type World } from './world.ts';

// A node may omit data, invent data or return nonsense. That may delay payments, but never creates one and never fails
// one.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** The watcher and the hints, through a node that lies until stopped. */
async function through(lie: NodeBehaviour) {
  const node = { lying: true };
  const rpcUrl = await openNode(world.rpcUrl, async (call, honest) => (node.lying ? lie(call, honest) : null));
  const base = { ...world.deps, chain: createChain({ ...world.chain, rpcUrl }) };
  const deps = { ...base, watched: watchAddresses(base) };
  /** One scan of the chain and one round of hints. */
  const look = async () => followHints(deps, (await scan(deps)).cursor);
  return { node, deps, look };
}

const statusOf = ({ merchant, receiptId }: Quoted) => world.status(merchant, receiptId);
const point = ({ merchant, receiptId }: Quoted, transactionHash: string) =>
  submitTransaction(world.deps, { merchant, receiptId, transactionHash });
const historyOf = async ({ merchant, receiptId }: Quoted) =>
  (await world.history(merchant, receiptId)).map(({ what }) => what);

type Fields = Record<string, unknown>;
const fieldsOf = (answer: RpcAnswer): Fields => ('result' in answer ? (answer.result as Fields) : {});

/** A node that returns an invented log: the quoted amount, in the given block and transaction. */
const inventing = (paid: Quoted, block: Fields, transactionHash: string): NodeBehaviour => {
  const log = {
    address: world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address,
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      pad('0x01'),
      pad(toAddress(paid.quote.payTo)),
    ],
    data: pad(toHex(BigInt(paid.quote.amount))),
    blockNumber: block.number,
    blockHash: block.hash,
    transactionHash,
    transactionIndex: '0x0',
    logIndex: '0x63',
    removed: false,
  };
  return async ({ method, params: [filter] = [] }, honest) => {
    if (method !== 'eth_getLogs' || BigInt(filter!.toBlock!) < BigInt(block.number as string)) return null;
    const logs = (await honest()) as { result: Fields[] };
    return { result: [...logs.result, log] };
  };
};

const blockOf = async (hash: `0x${string}`): Promise<Fields> => {
  const { blockNumber } = await world.chain.client.getTransactionReceipt({ hash });
  const block = await world.chain.client.getBlock({ blockNumber });
  return { number: toHex(block.number), hash: block.hash };
};

test('a payment omitted by a node is late: it is found when its blocks are read again', async () => {
  const { node, look } = await through(async ({ method }) => (method === 'eth_getLogs' ? { result: [] } : null));
  const paid = await quoted(world, 1_000);
  await world.pay(paid.quote);
  await look();
  expect(await statusOf(paid)).toBe('pending');
  node.lying = false;
  await world.mine(2);
  await look();
  expect(await statusOf(paid)).toBe('paid');
});

test('an invented payment of a transaction that its block does not contain does not count and delays no other payment', async () => {
  const [claimed, other] = [await quoted(world, 1_000), await quoted(world, 1_000)];
  const block = await blockOf(await world.pay(other.quote));
  const { look } = await through(inventing(claimed, block, pad('0xbad')));
  await point(claimed, pad('0xbad'));
  await look();
  await world.mine(2);
  await look();
  expect(await statusOf(claimed)).toBe('pending');
  expect(await statusOf(other)).toBe('paid');
});

test('an invented payment under the hash of a real transaction is reverted before it counts', async () => {
  const [claimed, other] = [await quoted(world, 1_000), await quoted(world, 1_000)];
  const hash = await world.pay(other.quote);
  const { node, look } = await through(inventing(claimed, await blockOf(hash), hash));
  await look();
  node.lying = false;
  await world.mine(2);
  await look();
  await look();
  expect(await historyOf(claimed)).toEqual(['status:pending', 'status:tx_mined', 'status:pending']);
  expect(await statusOf(other)).toBe('paid');
});

test('a payment that a node reports as reverted has not failed', async () => {
  const { node, look } = await through(async ({ method }, honest) => {
    if (method === 'eth_getLogs') return { result: [] };
    if (method !== 'eth_getTransactionReceipt') return null;
    return { result: { ...fieldsOf(await honest()), status: '0x0' } };
  });
  const paid = await quoted(world, 1_000);
  await point(paid, await world.pay(paid.quote));
  await look();
  expect(await statusOf(paid)).toBe('pending');
  node.lying = false;
  await world.mine(2);
  await look();
  expect(await historyOf(paid)).toEqual(['status:pending', 'status:tx_mined', 'status:paid']);
});

test('an invented reverted transaction fails no receipt', async () => {
  const [claimed, other] = [await quoted(world, 1_000), await quoted(world, 1_000)];
  const made = pad('0xbad');
  const real = await world.pay(other.quote);
  const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!;
  const input = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [toAddress(claimed.quote.payTo), BigInt(claimed.quote.amount)],
  });
  const { look } = await through(async ({ id, method, params }) => {
    if ((params?.[0] as unknown) !== made) return null;
    const answer = await fetch(world.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: [real] }),
    });
    const { result } = (await answer.json()) as { result: Fields };
    if (method === 'eth_getTransactionReceipt')
      return { result: { ...result, transactionHash: made, status: '0x0', logs: [] } };
    return { result: { ...result, hash: made, to: usdc, input } };
  });
  await point(claimed, made);
  await look();
  expect(await statusOf(claimed)).toBe('pending');
  expect(await statusOf(other)).toBe('tx_mined');
});

const NONSENSE = [null, 'nonsense', '0x', -1, true, {}, [], [{}], [null]];
const METHODS = [
  'eth_getBlockByNumber',
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_chainId',
];

test.each(METHODS)('a node with malformed responses to %s moves no receipt, forward or backward', async (method) => {
  let nonsense: unknown;
  const { node, look } = await through(async (call) => (call.method === method ? { result: nonsense } : null));
  const [before, paid] = [await quoted(world, 1_000), await quoted(world, 1_000)];
  await world.pay(before.quote);
  await world.mine(2);
  await world.look();
  await point(paid, pad('0xbad'));
  for (nonsense of NONSENSE) await look().catch(() => {});
  expect(await historyOf(before)).toEqual(['status:pending', 'status:tx_mined', 'status:paid']);
  expect(await historyOf(paid)).toEqual(['status:pending']);
  node.lying = false;
  await world.pay(paid.quote);
  await world.mine(2);
  await look();
  expect(await statusOf(paid)).toBe('paid');
});

test('the watcher continues after any malformed response', async () => {
  let asked = 0;
  const { node, deps } = await through(async () => {
    asked += 1;
    return { result: NONSENSE[asked % NONSENSE.length] };
  });
  const paid = await quoted(world, 1_000);
  await world.pay(paid.quote);
  await world.mine(2);
  const worker = startPaymentWorker(deps, settlementLoop(deps));
  try {
    await vi.waitFor(() => expect(asked).toBeGreaterThan(NONSENSE.length));
    expect(await statusOf(paid)).toBe('pending');
    node.lying = false;
    await world.reached(paid.merchant, paid.receiptId, 'paid');
  } finally {
    await worker.stop();
  }
});
