import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createTestClient, http, type TestClient } from 'viem';
import { LOCAL_CHAIN_ID } from '../../core/local-chains.ts';
import { type Chain, createChain } from '../client.ts';
import { prepareLocalChain } from '../local.ts';
import { defaultTokens } from '../tokens.ts';

const BINARY = fileURLToPath(import.meta.resolve('@foundry-rs/anvil-linux-amd64/bin/anvil'));

/**
 * The number of blocks whose state is kept in memory. By default anvil writes older states to the home directory, where
 * they remain when it is killed, and a reorganization while they are written finds no contracts.
 */
const KEPT_STATES = 2_000;

/** A real chain for one test file, with the test tokens deployed. */
export interface TestChain {
  readonly chain: Chain;
  readonly rpcUrl: string;
  /** Mines blocks, takes snapshots, reorganizes the chain. */
  readonly control: TestClient;
  stop(): Promise<void>;
}

/** Starts anvil with additional flags, for example `--fork-url` to fork another chain. */
export async function startTestChain(
  flags: readonly string[] = [],
  chainId: number = LOCAL_CHAIN_ID,
): Promise<TestChain> {
  const bare = await startBareChain(chainId, flags);
  await prepareLocalChain(bare.rpcUrl, chainId);
  return {
    ...bare,
    chain: createChain({ chainId, rpcUrl: bare.rpcUrl, tokens: defaultTokens(chainId), confirmations: 2 }),
  };
}

/** Starts anvil without any contract of the product, as any chain. */
export async function startBareChain(
  chainId: number,
  flags: readonly string[] = [],
): Promise<Omit<TestChain, 'chain'>> {
  const own = ['--port', '0', '--chain-id', String(chainId), '--prune-history', String(KEPT_STATES)];
  const anvil = spawn(BINARY, [...own, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const rpcUrl = `http://${await listeningAt(anvil)}`;
  return {
    rpcUrl,
    control: createTestClient({ mode: 'anvil', transport: http(rpcUrl, { timeout: 120_000 }) }),
    async stop() {
      if (anvil.exitCode !== null || anvil.signalCode !== null) return;
      const ended = once(anvil, 'exit');
      anvil.kill('SIGKILL');
      await ended;
    },
  };
}

async function listeningAt(anvil: ChildProcess): Promise<string> {
  for await (const line of createInterface(anvil.stdout!)) {
    const [, address] = /^Listening on (\S+)/.exec(line) ?? [];
    if (address) {
      anvil.stdout!.resume();
      return address;
    }
  }
  throw new Error(`anvil exited with ${anvil.exitCode} before it listened`);
}
