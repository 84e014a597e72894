import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SLOW_CHAIN_ID, TEST_MNEMONIC } from '../../core/local-chains.ts';
import { DESTINATIONS } from '../../outgoing/destinations.ts';
import { openFixedHost } from '../../outgoing/fixed-host.ts';
import { chainFiles, repairChainState } from './chain-state.ts';
import { choosePort } from './ports.ts';
import { endProcess, isRunning, spawnDetached, waitUntil } from './process.ts';
import type { ChainRecord } from './record.ts';

const packageNames: Record<string, string> = {
  x64: '@foundry-rs/anvil-linux-amd64',
  arm64: '@foundry-rs/anvil-linux-arm64',
};
const startTimeoutMs = 30_000;
const stateWarnings = {
  intact: [],
  restored: ['the local chain was killed during a write of its state: it continues from the last complete copy'],
  lost: ['the local chain’s state is broken and there is no copy: the chain starts empty'],
};

/** The URL of the chain's JSON-RPC endpoint. */
export function chainUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Whether a recorded chain is still the same process, and answers with its chain id. */
export async function answersChain(record: ChainRecord): Promise<boolean> {
  return isRunning(record) && (await hasChainId(record.port, record.chainId));
}

/**
 * Starts a local EVM chain from its state file, on its stored loopback port, and waits until it answers. It mines one
 * block per transaction. Balances, receipts and logs of all blocks are persistent. Calls on old state reach back 256
 * blocks, and not beyond a restart. Requires the record's lock.
 */
export async function startChain(
  dataDir: string,
  chainId: number,
  log: { warn(message: string): void },
): Promise<ChainRecord> {
  const program = findAnvil();
  const files = chainFiles(dataDir, chainId);
  const service = chainId === SLOW_CHAIN_ID ? 'slowChain' : 'chain';
  const prefix = service === 'chain' ? 'chain' : `chain-${chainId}`;
  const logFile = join(dataDir, `${prefix}.log`);
  const cache = join(dataDir, `${prefix}-cache`);
  const deadline = performance.now() + startTimeoutMs;
  for (const warning of stateWarnings[repairChainState(files)]) log.warn(warning);
  while (performance.now() < deadline) {
    // anvil leaves cached states there when it is killed.
    rmSync(cache, { recursive: true, force: true });
    const port = await choosePort(dataDir, service, log);
    const mark = await spawnDetached({
      file: program,
      args: [
        ...['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`, '--mnemonic', TEST_MNEMONIC],
        ...['--state', files.live, '--state-interval', '1', '--prune-history', '256', '--cache-path', cache],
        ...['--quiet', '--no-cors'],
      ],
      cwd: dataDir,
      logFile,
    });
    await waitUntil(async () => !isRunning(mark) || (await hasChainId(port, chainId)), deadline - performance.now());
    const record = { ...mark, port, chainId };
    if (await answersChain(record)) return record;
    await stopChain(record);
  }
  throw new Error(`the local chain does not start; its log is ${logFile}`);
}

/** Stops a chain. It writes its state before it exits. */
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
      `the local chain needs the package ${name ?? 'of anvil'}, which is not installed; ` +
        'set RPC_URL and CHAIN_ID to use your own chain',
    );
  }
}

/** Sends one JSON-RPC call to a chain. Throws on an error answer, a broken connection and a timeout. */
export async function askChain(
  url: string,
  method: string,
  params: unknown[],
  timeoutMs: number = DESTINATIONS.localChain.timeoutMs,
): Promise<unknown> {
  const response = await openFixedHost(url)(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}
