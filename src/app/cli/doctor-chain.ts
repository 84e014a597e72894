import { findTokenFault } from '../../base/chain/check-tokens.ts';
import { type Chain, createChain } from '../../base/chain/client.ts';
import { isLocalChain } from '../../base/core/local-chains.ts';
import type { Config } from '../../base/platform/config/config.ts';
import { readGasWallets } from '../../domain/operations/operators/progress.ts';
import { checkAddresses } from './doctor-addresses.ts';
import type { Finding } from './doctor-finding.ts';

/** The blocks that the watcher reads at once, and how far it reads back after an outage of some hours. */
const RANGE_BLOCKS = 1_000n;
const DEPTH_BLOCKS = 10_000n;
const SKEW_MAX_MS = 5 * 60_000;
const ANY_ADDRESS = '0x000000000000000000000000000000000000dEaD';

/** Checks each RPC endpoint, and with the first that works: tokens, clock, the gas of the wallets and addresses. */
export async function checkChain(config: Config): Promise<Finding[]> {
  const { chainId, rpcUrl, rpcFallbackUrls } = config;
  if (rpcUrl === null)
    return [{ check: 'chain', state: 'ok', found: 'the embedded chain, which the server starts', fix: null }];
  const urls = [rpcUrl, ...rpcFallbackUrls];
  const chains = urls.map((url) => createChain({ ...config, rpcUrl: url, rpcFallbackUrls: [] }));
  const endpoints = await Promise.all(chains.map((chain, i) => checkEndpoint(chain, new URL(urls[i]!).host)));
  const working = chains.find((_, i) => endpoints[i]!.every(({ state }) => state !== 'wrong'));
  if (!working) return endpoints.flat();
  const rest = [checkTokens(working), checkClock(working), checkGas(working, config), checkAddresses(working, config)];
  const local = isLocalChain(chainId);
  return [...endpoints.flat(), ...(await Promise.all(local ? rest.slice(0, 1) : rest)).flat()];
}

interface CallError extends NodeJS.ErrnoException {
  readonly shortMessage?: string;
  /** Of an HTTP answer. */
  readonly status?: number;
  readonly cause?: CallError;
}

/** Why a call failed, without the endpoint's address, which may include a key. */
function reasonOf(error: unknown): string {
  const { shortMessage, status, message } = error as CallError;
  for (let cause = error as CallError | undefined; cause; cause = cause.cause)
    if (cause.syscall !== undefined) return cause.message;
  const reason = shortMessage ?? message.split('\n')[0] ?? 'unknown';
  return status === undefined ? reason : `${reason} (HTTP status ${status})`;
}

async function checkEndpoint({ client, chainId }: Chain, host: string): Promise<Finding[]> {
  const check = `RPC ${host}`;
  let head: bigint;
  try {
    const served = await client.getChainId();
    if (served !== chainId)
      return [
        {
          check,
          state: 'wrong',
          found: `it serves chain ${served}`,
          fix: `Set the endpoint of chain ${chainId}, or CHAIN_ID=${served}.`,
        },
      ];
    head = await client.getBlockNumber();
  } catch (error) {
    const fix = 'Check the URL, its key and its limits, or use another endpoint.';
    return [{ check, state: 'wrong', found: `it does not answer: ${reasonOf(error)}`, fix }];
  }
  const floor = (blocks: bigint) => (head > blocks ? head - blocks : 0n);
  const logs = (from: bigint, to: bigint) =>
    client.getLogs({ address: ANY_ADDRESS, fromBlock: from, toBlock: to }).then(
      () => null,
      (error: unknown) => reasonOf(error),
    );
  const [range, depth] = await Promise.all([
    logs(floor(RANGE_BLOCKS - 1n), head),
    logs(floor(DEPTH_BLOCKS), floor(DEPTH_BLOCKS)),
  ]);
  return [
    { check, state: 'ok', found: `chain ${chainId}, block ${head}`, fix: null },
    {
      check: `${check}: log ranges`,
      state: range === null ? 'ok' : 'note',
      found:
        range === null ? `logs of ${RANGE_BLOCKS} blocks in one read` : `no logs of ${RANGE_BLOCKS} blocks: ${range}`,
      fix: range === null ? null : 'The watcher reads smaller ranges. Use another endpoint if it falls behind.',
    },
    {
      check: `${check}: history`,
      state: depth === null ? 'ok' : 'wrong',
      found: depth === null ? `logs of ${DEPTH_BLOCKS} blocks ago` : `no logs of ${DEPTH_BLOCKS} blocks ago: ${depth}`,
      fix: depth === null ? null : 'Use an endpoint that keeps logs: payments of an outage could not be found.',
    },
  ];
}

async function checkTokens(chain: Chain): Promise<Finding[]> {
  const fault = await findTokenFault(chain).catch(reasonOf);
  const symbols = chain.tokens.map(({ symbol }) => symbol).join(', ');
  return [
    {
      check: 'tokens',
      state: fault === null ? 'ok' : 'wrong',
      found: fault ?? `${symbols} are as their contracts say`,
      fix: fault === null ? null : 'Correct TOKENS: address, decimals and symbol. Until then no token is offered.',
    },
  ];
}

async function checkClock({ client }: Chain): Promise<Finding[]> {
  const { timestamp } = await client.getBlock();
  const skewMs = Date.now() - Number(timestamp) * 1000;
  const off = Math.abs(skewMs) > SKEW_MAX_MS;
  return [
    {
      check: 'clock',
      state: off ? 'wrong' : 'ok',
      found: `${Math.round(skewMs / 1000)} s after the newest block`,
      fix: off ? 'Correct the clock (NTP). If it is right, the endpoint has stopped: use another one.' : null,
    },
  ];
}

async function checkGas(chain: Chain, settings: Config): Promise<Finding[]> {
  const wallets = await readGasWallets({ chains: [chain], settings });
  return wallets.map(({ role, address, balance, low }) => ({
    check: `gas of the ${role} wallet on chain ${chain.chainId}`,
    state: low ? ('wrong' as const) : ('ok' as const),
    found: `${address} has ${balance ?? 'an unknown number of'} native coins`,
    fix: low ? `Send native coins of chain ${chain.chainId} to ${address}.` : null,
  }));
}
