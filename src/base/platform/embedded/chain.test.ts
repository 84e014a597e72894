import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { answersChain, askChain, chainUrl, startChain, stopChain } from './anvil.ts';
import { chainFiles, copyChainState } from './chain-state.ts';
import { endProcess, waitUntil } from './process.ts';
import type { ChainRecord } from './record.ts';
import { keepChain } from './services.ts';

const chainId = 31337;
const payee = '0x000000000000000000000000000000000000dead';
const running: ChainRecord[] = [];
const folders: string[] = [];
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  for (const chain of running.splice(0)) await stopChain(chain);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test('the height, balances, receipts and logs of old blocks survive a stop', async () => {
  const folder = makeFolder();
  const before = await start(folder);
  const { emitter, hash } = await useChain(before);
  await stopChain(before);
  const after = await start(folder);

  expect(await describe(after, emitter, hash)).toEqual({ height: 4, balance: 2, logs: [2, 4], receiptBlock: 3 });
});

test('a block that is a second old survives a kill -9', async () => {
  const folder = makeFolder();
  const before = await start(folder);
  const { emitter, hash } = await useChain(before);
  const minedAtMs = Date.now();
  const file = chainFiles(folder, chainId).live;
  // Wait for two writes after the block: the first may have begun before it.
  expect(await waitUntil(() => modifiedAtMs(file) > minedAtMs + 1_000 && isWhole(file), 60_000)).toBe(true);
  await endProcess(before, [['SIGKILL', 5_000]]);
  const after = await start(folder);

  expect(await describe(after, emitter, hash)).toEqual({ height: 4, balance: 2, logs: [2, 4], receiptBlock: 3 });
});

test('a state file that was truncated during a write is replaced by its last complete copy', async () => {
  const folder = makeFolder();
  const files = chainFiles(folder, chainId);
  const before = await start(folder);
  const { emitter, hash } = await useChain(before);
  const minedAtMs = Date.now();
  expect(await waitUntil(() => copyChainState(files, minedAtMs), 60_000)).toBe(true);
  await endProcess(before, [['SIGKILL', 5_000]]);
  truncateSync(files.live, statSync(files.live).size - 100);
  const warnings: string[] = [];
  const after = await start(folder, warnings);

  expect(warnings).toEqual([expect.stringContaining('last complete copy')]);
  expect(await describe(after, emitter, hash)).toEqual({ height: 4, balance: 2, logs: [2, 4], receiptBlock: 3 });
});

test('a broken state without a copy starts an empty chain and logs a warning', async () => {
  const folder = makeFolder();
  await stopChain(await start(folder));
  truncateSync(chainFiles(folder, chainId).live, 10);
  const warnings: string[] = [];
  const chain = await start(folder, warnings);

  expect(warnings).toEqual([expect.stringContaining('starts empty')]);
  expect(await answersChain(chain)).toBe(true);
});

test('a payment on an idle chain gains confirmations, and then the chain is idle again', async () => {
  const folder = makeFolder();
  const chain = await start(folder);
  const url = chainUrl(chain.port);
  endings.push(keepChain(url, chainFiles(folder, chainId), 2));
  const height = async () => Number(await askChain(url, 'eth_blockNumber', []));
  await pay(url, '0x1');

  expect(await waitUntil(async () => (await height()) === 3, 60_000)).toBe(true);
  expect(await waitUntil(async () => (await height()) > 3, 2_500)).toBe(false);
});

test('a payment that comes just before a block is mined on an earlier one gains its confirmations too', async () => {
  const folder = makeFolder();
  const chain = await start(folder);
  const url = chainUrl(chain.port);
  let paid = false;
  const between = await relayTo(url, async (method) => {
    if (method !== 'evm_mine' || paid) return;
    paid = true;
    await pay(url, '0x1');
  });
  await pay(url, '0x1');
  endings.push(keepChain(between, chainFiles(folder, chainId), 2, 50));
  const height = async () => Number(await askChain(url, 'eth_blockNumber', []));

  // The payments are in the blocks 1 and 2.
  expect(await waitUntil(async () => (await height()) === 4, 60_000)).toBe(true);
});

test('the chain supports reorganizations and snapshots', async () => {
  const chain = await start(makeFolder());
  const url = chainUrl(chain.port);
  await pay(url, '0x1');
  const snapshot = await askChain(url, 'evm_snapshot', []);
  await pay(url, '0x1');
  await askChain(url, 'anvil_reorg', [1, []]);
  const afterReorg = Number(await askChain(url, 'eth_getBalance', [payee, 'latest']));
  await askChain(url, 'evm_revert', [snapshot]);

  expect(afterReorg).toBe(1);
  expect(Number(await askChain(url, 'eth_blockNumber', []))).toBe(1);
});

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quittance-chain-')));
  folders.push(folder);
  return folder;
}

/** The URL of an endpoint that passes calls on to a chain, after `before` each of them. */
async function relayTo(url: string, before: (method: string) => Promise<void>): Promise<string> {
  const relay = createServer(async (request, response) => {
    const body = await text(request);
    await before(JSON.parse(body).method);
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  endings.push(async () => {
    relay.close();
    relay.closeAllConnections();
  });
  return chainUrl((relay.address() as AddressInfo).port);
}

async function start(folder: string, warnings: string[] = []): Promise<ChainRecord> {
  const chain = await startChain(folder, chainId, { warn: (message) => warnings.push(message) });
  running.push(chain);
  return chain;
}

/** Four blocks: a contract that logs, a call of it, a payment of 2 wei, a call. */
async function useChain(chain: ChainRecord): Promise<{ emitter: string; hash: string }> {
  const url = chainUrl(chain.port);
  const [from] = (await askChain(url, 'eth_accounts', [])) as string[];
  // Its constructor returns the program PUSH1 0 PUSH1 0 LOG0.
  const data = '0x6460006000a06000526005601bf3';
  const deployment = await mined(url, await askChain(url, 'eth_sendTransaction', [{ from, data }]));
  const emitter = deployment.contractAddress;
  await mined(url, await askChain(url, 'eth_sendTransaction', [{ from, to: emitter }]));
  const hash = await pay(url, '0x2');
  await mined(url, await askChain(url, 'eth_sendTransaction', [{ from, to: emitter }]));
  return { emitter, hash };
}

async function pay(url: string, value: string): Promise<string> {
  const [from] = (await askChain(url, 'eth_accounts', [])) as string[];
  const hash = await askChain(url, 'eth_sendTransaction', [{ from, to: payee, value }]);
  return (await mined(url, hash)).transactionHash;
}

interface MinedTransaction {
  transactionHash: string;
  contractAddress: string;
  blockNumber: string;
}

async function mined(url: string, hash: unknown): Promise<MinedTransaction> {
  let receipt: MinedTransaction | null = null;
  await waitUntil(async () => {
    receipt = (await askChain(url, 'eth_getTransactionReceipt', [hash])) as MinedTransaction | null;
    return receipt !== null;
  }, 240_000);
  if (!receipt) throw new Error(`${hash} is not mined`);
  return receipt;
}

async function describe(chain: ChainRecord, emitter: string, hash: string) {
  const url = chainUrl(chain.port);
  const logs = await askChain(url, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', address: emitter }]);
  return {
    height: Number(await askChain(url, 'eth_blockNumber', [])),
    balance: Number(await askChain(url, 'eth_getBalance', [payee, 'latest'])),
    logs: (logs as { blockNumber: string }[]).map((log) => Number(log.blockNumber)),
    receiptBlock: Number((await mined(url, hash)).blockNumber),
  };
}

function modifiedAtMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isWhole(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
