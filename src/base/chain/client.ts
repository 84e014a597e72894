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
  type Transport,
} from 'viem';
import { Refusal, refuse } from '../core/errors.ts';
import { type Finality, sameForAll } from '../core/finality.ts';
import type { Keeper } from '../core/kept.ts';
import { isLocalChain } from '../core/local-chains.ts';
import { type EndpointNews, openEach, openEndpoints } from './endpoints.ts';
import { createLogRange, type LogRange } from './log-range.ts';
import { openHttp, openPatientHttp, openStrangersHttp, type RpcTimeouts } from './rpc-transport.ts';
import type { Token } from './token.ts';

/** The chain that payments arrive on. */
export interface Chain extends Keeper {
  readonly chainId: number;
  /** For requests that a caller waits for. Answers or fails within seconds. */
  readonly client: PublicClient;
  /** For the watcher. Waits longer for a slow node. */
  readonly patientClient: PublicClient;
  /** For `askStranger` and its like: calls that run the code of a contract that a stranger chose. */
  readonly strangersClient: PublicClient;
  /** The number of blocks per read of logs. */
  readonly logRange: LogRange;
  /** The accepted tokens, the default token first. */
  readonly tokens: readonly Token[];
  /**
   * The number of blocks after a block before it is read a second time, which every payment waits for. Refunds and our
   * own transactions need the same.
   */
  readonly confirmations: number;
  /** The depth that payments need, by amount. */
  readonly finality: Finality;
  /** Whether tokens are offered. Closed until they have been compared with their contracts. */
  readonly offering: { open: boolean };
  /** One chain per endpoint; empty if there is only one endpoint. */
  readonly endpoints: readonly Chain[];
  /** Payments above this amount in US dollars must be confirmed by two endpoints, if there are several. */
  readonly crossCheckUsd: number;
  /** The number of endpoint switches. If it changed between two reads, different nodes may have answered them. */
  readonly switches: () => number;
  /**
   * Whether a lower head means that the chain was reset, as on the local chain. On any other chain, or with several
   * endpoints, a lower head means a lagging node.
   */
  readonly mayRestart: boolean;
}

export interface ChainOptions {
  readonly chainId: number;
  readonly rpcUrl: string;
  /** Further endpoints of the same chain, tried in this order if the first one fails. */
  readonly rpcFallbackUrls?: readonly string[];
  /** Called when an endpoint fails or takes over. */
  readonly onEndpoint?: (news: EndpointNews) => void;
  readonly tokens: readonly Token[];
  readonly confirmations: number;
  /** `confirmations` for every amount by default. */
  readonly finality?: Finality;
  /** Timeouts of the watcher's requests; by default 30 s for logs and 10 s for others. */
  readonly watcherTimeouts?: RpcTimeouts;
  /** See `Chain`; 1,000 by default. */
  readonly crossCheckUsd?: number;
}

/**
 * A client of the chain behind `rpcUrl` and its fallbacks. It sends no request yet, so a node that is down fails the
 * first read and not the start.
 *
 * @example
 * const tokens = defaultTokens(8453);
 *  const chain = createChain({ chainId: 8453, rpcUrl: 'https://mainnet.base.org', tokens, confirmations: 5 });
 */
export function createChain(options: ChainOptions): Chain {
  const {
    chainId,
    rpcUrl,
    rpcFallbackUrls = [],
    onEndpoint,
    tokens,
    confirmations,
    finality = sameForAll(confirmations),
    watcherTimeouts,
    crossCheckUsd = 1_000,
  } = options;
  const urls = [rpcUrl, ...rpcFallbackUrls];
  const openPatient = (url: string) => openPatientHttp(url, watcherTimeouts);
  const open = { quick: openHttp, patient: openPatient, strangers: openStrangersHttp };
  const { transports, switches } =
    urls.length === 1
      ? { transports: openEach(open, rpcUrl), switches: () => 0 }
      : openEndpoints({ chainId, urls, open, notify: onEndpoint });
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    // While viem looks for a replacement, its wait for a transaction ignores new blocks. On a chain that mines only
    // what it is sent, the one block with the transaction is missed, and the wait never ends.
    supportsTransactionReplacementDetection: false,
  });
  const pollingInterval = isLocalChain(chainId) ? 100 : 2_000;
  const openClient = (transport: Transport): PublicClient =>
    // A contract that reverts with `OffchainLookup` (EIP-3668) must not make this process request a URL.
    createPublicClient({ chain, transport, cacheTime: 0, pollingInterval, ccipRead: false });
  const client = openClient(transports.quick);
  const patientClient = openClient(transports.patient);
  const strangersClient = openClient(transports.strangers);
  const mayRestart = isLocalChain(chainId) && urls.length === 1;
  const logRange = createLogRange();
  const offering = { open: true };
  const alone = (url: string) => createChain({ ...options, rpcUrl: url, rpcFallbackUrls: [] });
  const endpoints = urls.length > 1 ? urls.map(alone) : [];
  return {
    kept: new Map(),
    chainId,
    client,
    patientClient,
    strangersClient,
    logRange,
    offering,
    endpoints,
    crossCheckUsd,
    tokens,
    confirmations,
    finality,
    switches,
    mayRestart,
  };
}

/** The same chain with the watcher's longer timeouts. */
export const patiently = (chain: Chain): Chain => ({ ...chain, client: chain.patientClient });

/**
 * Throws `chain_unavailable` if the RPC endpoint serves a different chain than the configured one, or does not answer.
 */
export async function assertChainId(chain: Chain): Promise<void> {
  const served = await reach(chain.client.getChainId());
  if (served !== chain.chainId) {
    throw refuse('chain_unavailable', `The RPC serves chain ${served}, not chain ${chain.chainId}`);
  }
}

/** Errors that are answers of a working node about the state of the chain. */
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
 * Awaits a request to the node. Answers of the chain (a revert, a missing block) are thrown as viem's errors. Any other
 * failure is thrown as `chain_unavailable`.
 */
export async function reach<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Refusal || findError(error, ...answers)) throw error;
    const refusal = refuse('chain_unavailable');
    // Only the short message: the long one contains the RPC URL, which often includes a key. On invalid answers viem
    // throws errors of other classes.
    refusal.cause = new Error(error instanceof BaseError ? error.shortMessage : String(error));
    throw refusal;
  }
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** The first error of one of the classes in the chain of causes; null if there is none. */
export function findError<const Classes extends readonly ErrorClass[]>(
  error: unknown,
  ...classes: Classes
): InstanceType<Classes[number]> | null {
  if (!(error instanceof BaseError)) return null;
  const found = error.walk((cause) => classes.some((errorClass) => cause instanceof errorClass));
  return found as InstanceType<Classes[number]> | null;
}
