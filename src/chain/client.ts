import {
  BaseError,
  BlockNotFoundError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  defineChain,
  ExecutionRevertedError,
  InsufficientFundsError,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem';
import { Refusal, refuse } from '../core/errors.ts';
import { type EndpointNews, openEndpoints } from './endpoints.ts';
import { createLogRange, type LogRange } from './log-range.ts';
import { openHttp, openPatientHttp, type RpcTimeouts } from './rpc-transport.ts';
import type { Token } from './tokens.ts';

/** The chain that payments arrive on. */
export interface Chain {
  readonly chainId: number;
  /** For requests that a caller waits for: answers or fails within seconds. */
  readonly client: PublicClient;
  /** For the watcher: waits longer for a slow node. */
  readonly patientClient: PublicClient;
  /** How many blocks are read at once. */
  readonly logRange: LogRange;
  /** What may be paid with, the default token first. */
  readonly tokens: readonly Token[];
  /** Blocks on top of a transfer's own before it counts as final. */
  readonly confirmations: number;
  /** Tokens are offered while it is open; closed until they could be compared with their contracts. */
  readonly offering: { open: boolean };
  /** Each endpoint by itself; empty where there is only one. */
  readonly endpoints: readonly Chain[];
  /** Payments above this many US dollars need the word of two endpoints, where there are several. */
  readonly crossCheckUsd: number;
  /** How often another endpoint has taken over: where it changes, what was read before and after may be of different nodes. */
  readonly switches: () => number;
  /**
   * A head below what was read means that the chain has begun anew, or again from an older state: so it is with the local chain. Anywhere else, and behind
   * several endpoints, it is a node that lags.
   */
  readonly mayRestart: boolean;
}

export interface ChainOptions {
  readonly chainId: number;
  readonly rpcUrl: string;
  /** Further endpoints of the same chain, asked where the first one fails, in this order. */
  readonly rpcFallbackUrls?: readonly string[];
  /** Is told where an endpoint fails or takes over. */
  readonly onEndpoint?: (news: EndpointNews) => void;
  readonly tokens: readonly Token[];
  readonly confirmations: number;
  /** How long the watcher's requests may take; 30 s for logs and 10 s for others unless given. */
  readonly watcherTimeouts?: RpcTimeouts;
  /** See `Chain`; 1,000 unless given. */
  readonly crossCheckUsd?: number;
}

/** The local development chain: anvil's own id. */
export const LOCAL_CHAIN_ID = 31337;

/**
 * A client of the chain behind `rpcUrl` and its fallbacks. Nothing is asked yet: a node that is down refuses the first read, not the start.
 *
 * @example
 * const chain = createChain({ chainId: 8453, rpcUrl: 'https://mainnet.base.org', tokens: defaultTokens(8453), confirmations: 5 });
 */
export function createChain(options: ChainOptions): Chain {
  const {
    chainId,
    rpcUrl,
    rpcFallbackUrls = [],
    onEndpoint,
    tokens,
    confirmations,
    watcherTimeouts,
    crossCheckUsd = 1_000,
  } = options;
  const urls = [rpcUrl, ...rpcFallbackUrls];
  const openPatient = (url: string) => openPatientHttp(url, watcherTimeouts);
  const { transport, patientTransport, switches } =
    urls.length === 1
      ? { transport: openHttp(rpcUrl), patientTransport: openPatient(rpcUrl), switches: () => 0 }
      : openEndpoints({ chainId, urls, open: openHttp, openPatient, tell: onEndpoint });
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const pollingInterval = chainId === LOCAL_CHAIN_ID ? 100 : 2_000;
  const client: PublicClient = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval });
  const patientClient: PublicClient = createPublicClient({ chain, transport: patientTransport, cacheTime: 0 });
  const mayRestart = chainId === LOCAL_CHAIN_ID && urls.length === 1;
  const logRange = createLogRange();
  const offering = { open: true };
  const alone = (url: string) => createChain({ ...options, rpcUrl: url, rpcFallbackUrls: [] });
  const endpoints = urls.length > 1 ? urls.map(alone) : [];
  return {
    chainId,
    client,
    patientClient,
    logRange,
    offering,
    endpoints,
    crossCheckUsd,
    tokens,
    confirmations,
    switches,
    mayRestart,
  };
}

/** The same chain as the watcher reads it: it waits longer for answers. */
export const patiently = (chain: Chain): Chain => ({ ...chain, client: chain.patientClient });

/** Refuses with `chain_unavailable` where the RPC serves another chain than the configured one, or does not answer. */
export async function assertChainId(chain: Chain): Promise<void> {
  const served = await reach(chain.client.getChainId());
  if (served !== chain.chainId) {
    throw refuse('chain_unavailable', `The RPC serves chain ${served}, not chain ${chain.chainId}`);
  }
}

/** Errors by which a node that works says what the chain holds. */
const answers = [
  BlockNotFoundError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
  InsufficientFundsError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
];

/**
 * Awaits what was asked of the node. Answers of the chain (a revert, a block that is not there) are thrown as viem has them; whatever keeps the
 * node from answering is refused as `chain_unavailable`.
 */
export async function reach<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal || findError(error, ...answers)) throw error;
    const refusal = refuse('chain_unavailable');
    // The short message only: the long one quotes the RPC's URL, which often holds a key. Over nonsense viem trips with errors that are not its own.
    refusal.cause = new Error(error instanceof BaseError ? error.shortMessage : String(error));
    throw refusal;
  }
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** The first error of one of the classes in the chain of causes; null where there is none. */
export function findError<const Classes extends readonly ErrorClass[]>(
  error: unknown,
  ...classes: Classes
): InstanceType<Classes[number]> | null {
  if (!(error instanceof BaseError)) return null;
  const found = error.walk((cause) => classes.some((errorClass) => cause instanceof errorClass));
  return found as InstanceType<Classes[number]> | null;
}
