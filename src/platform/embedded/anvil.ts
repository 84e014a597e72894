import { createRequire } from 'node:module';
import { join } from 'node:path';
import { endProcess, findFreePort, isRunning, spawnDetached, waitUntil } from './process.ts';
import type { ChainRecord } from './record.ts';
import { askChain } from './rpc.ts';

/** The mnemonic of every local test chain; its keys are public. */
export const testMnemonic = 'test test test test test test test test test test test junk';

const packageNames: Record<string, string> = {
  x64: '@foundry-rs/anvil-linux-amd64',
  arm64: '@foundry-rs/anvil-linux-arm64',
};
const startTimeoutMs = 30_000;

/** The address of the chain's JSON-RPC. */
export function chainUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Whether a recorded chain is still the process it was, and answers with its chain id. */
export async function answersChain(record: ChainRecord): Promise<boolean> {
  return isRunning(record) && (await hasChainId(record.port, record.chainId));
}

/** Starts a local EVM chain from its state file, on a free loopback port, and waits until it answers. */
export async function startChain(dataDir: string, chainId: number): Promise<ChainRecord> {
  const file = findAnvil();
  const log = join(dataDir, 'chain.log');
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    const port = await findFreePort();
    const mark = await spawnDetached({
      file,
      args: [
        ...['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`, '--mnemonic', testMnemonic],
        ...['--state', join(dataDir, `chain-${chainId}.json`), '--state-interval', '1'],
        ...['--quiet', '--no-cors'],
      ],
      cwd: dataDir,
      logFile: log,
    });
    await waitUntil(async () => !isRunning(mark) || (await hasChainId(port, chainId)), deadline - performance.now());
    const record = { ...mark, port, chainId };
    if (await answersChain(record)) return record;
    await stopChain(record);
  }
  throw new Error(`the local chain does not start; its log is ${log}`);
}

/** Ends a chain; it writes its state before it goes. */
export async function stopChain(record: ChainRecord): Promise<void> {
  await endProcess(record, [
    ['SIGTERM', 20_000],
    ['SIGKILL', 5_000],
  ]);
}

async function hasChainId(port: number, chainId: number): Promise<boolean> {
  try {
    return Number(await askChain(chainUrl(port), 'eth_chainId', [], 1_000)) === chainId;
  } catch {
    return false;
  }
}

function findAnvil(): string {
  const name = packageNames[process.arch];
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil`);
  } catch {
    throw new Error(
      `the local chain needs the package ${name ?? 'of anvil'}, which is not installed; set RPC_URL and CHAIN_ID to a chain of your own`,
    );
  }
}
