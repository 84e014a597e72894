import { BaseError, createTransport, type EIP1193RequestFn, RpcRequestError, type Transport } from 'viem';
import { saysHalt } from './halts.ts';

/** Several RPC endpoints of one chain, combined into one transport. */
export interface Endpoints {
  readonly transports: ByManner<Transport>;
  /**
   * The number of switches to another endpoint. If it is unchanged across a group of reads, one endpoint served them
   * all. If it changed, discard the group: the nodes may disagree.
   */
  readonly switches: () => number;
}

/**
 * An event of an endpoint, for the operator. The endpoint is identified by its host, because a URL may contain a key.
 */
export interface EndpointNews {
  readonly host: string;
  readonly event: 'in_use' | 'unusable';
  /** Why it cannot be used. */
  readonly reason?: string;
}

/** Opens the transports of an endpoint. They must not retry, and must time out. */
export type OpenTransports = ByManner<(url: string) => Transport>;

/** The transports of one endpoint. */
export const openEach = ({ quick, patient, strangers }: OpenTransports, url: string): ByManner<Transport> => ({
  quick: quick(url),
  patient: patient(url),
  strangers: strangers(url),
});

interface EndpointOptions {
  readonly chainId: number;
  /** At least two; the preferred one first. */
  readonly urls: readonly string[];
  readonly open: OpenTransports;
  readonly notify?: (news: EndpointNews) => void;
  /** The interval at which all endpoints are compared. */
  readonly compareEveryMs?: number;
}

/** How long one endpoint may take before the next is asked as well. */
const PATIENCE_MS: ByManner<number> = { quick: 700, patient: 8_000, strangers: 700 };
const ELECTION_MS = 15_000;
/** An endpoint that is further behind the newest head is not elected. */
const LAG_BLOCKS = 10n;

/**
 * Asks the current endpoint, and the next one if it fails or does not answer within 0.7 s. The endpoint that answers
 * becomes the current one. Every 15 s all endpoints are compared: the first in the operator's order that serves the
 * configured chain and is at most ten blocks behind becomes the current one. An answer is accepted only if the same
 * endpoint reports the configured chain id in the same batch.
 */
export function openEndpoints({
  chainId,
  urls,
  open,
  notify = () => {},
  compareEveryMs = ELECTION_MS,
}: EndpointOptions): Endpoints {
  const endpoints = urls.map((url) => endpointAt(url, openEach(open, url)));
  const askOne = createAskEndpoint(chainId, ({ host }, reason) => notify({ host, event: 'unusable', reason }));
  let current = endpoints[0]!;
  let switches = 0;
  let electedAt = Number.NEGATIVE_INFINITY;

  function use(endpoint: Endpoint): void {
    if (endpoint === current) return;
    current = endpoint;
    switches += 1;
    notify({ host: endpoint.host, event: 'in_use' });
  }

  async function elect(): Promise<void> {
    const heights = await Promise.all(
      endpoints.map(async (endpoint) => {
        const answer = await askOne(endpoint, { method: 'eth_blockNumber' }, 'quick').catch(() => null);
        return answer && 'value' in answer ? BigInt(answer.value as string) : null;
      }),
    );
    const newest = heights.reduce<bigint>((most, height) => (height !== null && height > most ? height : most), 0n);
    const best = endpoints.find((_, i) => heights[i] != null && newest - heights[i] <= LAG_BLOCKS);
    if (best) use(best);
  }

  async function ask(call: RpcCall, manner: Manner): Promise<unknown> {
    if (performance.now() - electedAt > compareEveryMs) {
      electedAt = performance.now();
      // In the background, so that no call waits for an endpoint that hangs. It rejects only on an invalid answer.
      elect().catch(() => {});
    }
    const preferred = current;
    const order = [preferred, ...endpoints.filter((endpoint) => endpoint !== preferred)];
    const { by, answer } = await firstAnswer(order, (endpoint) => askOne(endpoint, call, manner), PATIENCE_MS[manner]);
    // A concurrent call may have switched already; keep its choice.
    if (by !== preferred && current === preferred) use(by);
    if ('error' in answer) throw answer.error;
    return answer.value;
  }

  const transportFor =
    (manner: Manner): Transport =>
    () =>
      createTransport({
        key: 'endpoints',
        name: 'RPC endpoints',
        type: 'endpoints',
        request: ((call: RpcCall) => ask(call, manner)) as EIP1193RequestFn,
        retryCount: 0,
      });
  return {
    transports: {
      quick: transportFor('quick'),
      patient: transportFor('patient'),
      strangers: transportFor('strangers'),
    },
    switches: () => switches,
  };
}

/**
 * Asks one endpoint after the other, the next one as soon as one fails or is slow. Resolves with the first answer. If
 * all fail, rejects with the error of the first endpoint.
 */
function firstAnswer(
  order: readonly Endpoint[],
  ask: (endpoint: Endpoint) => Promise<Answer>,
  patienceMs: number,
): Promise<{ by: Endpoint; answer: Answer }> {
  return new Promise((resolve, reject) => {
    const faults = new Map<Endpoint, unknown>();
    let asked = 0;
    let patienceTimer: NodeJS.Timeout | undefined;
    const askNext = () => {
      clearTimeout(patienceTimer);
      const endpoint = order[asked];
      if (!endpoint) return;
      asked += 1;
      if (asked < order.length) patienceTimer = setTimeout(askNext, patienceMs);
      ask(endpoint).then(
        (answer) => {
          clearTimeout(patienceTimer);
          resolve({ by: endpoint, answer });
        },
        (fault) => {
          faults.set(endpoint, fault);
          if (faults.size === order.length) reject(faults.get(order[0]!));
          else askNext();
        },
      );
    };
    askNext();
  });
}

interface Channel {
  readonly request: EIP1193RequestFn;
  /** The check of the served chain id, shared by all calls of this tick. */
  proof: Promise<void> | null;
}

/** One RPC endpoint of the chain. */
interface Endpoint {
  readonly host: string;
  readonly channels: ByManner<Channel>;
  usable: boolean;
}

/**
 * How a call is sent. `quick`: a caller waits for the answer. `patient`: it may take longer. `strangers`: it runs code
 * that a stranger chose.
 */
type Manner = 'quick' | 'patient' | 'strangers';

/** A value for each manner. */
export type ByManner<T> = Readonly<Record<Manner, T>>;

type RpcCall = { method: string; params?: unknown };

/** The answer of a working node: a value, or an error that is its answer. */
type Answer = { readonly value: unknown } | { readonly error: unknown };

/** The endpoint at a URL, with its transports. */
function endpointAt(url: string, { quick, patient, strangers }: ByManner<Transport>): Endpoint {
  // The transport must not retry: a caller would wait for each attempt.
  const channelTo = (transport: Transport): Channel => ({
    request: transport({ retryCount: 0 }).request as EIP1193RequestFn,
    proof: null,
  });
  return {
    host: new URL(url).host,
    channels: { quick: channelTo(quick), patient: channelTo(patient), strangers: channelTo(strangers) },
    usable: true,
  };
}

/** Asks one endpoint. Throws if the endpoint cannot be used. */
type AskEndpoint = (endpoint: Endpoint, call: RpcCall, manner: Manner) => Promise<Answer>;

/**
 * Returns a function that asks one endpoint and accepts its answer only if the endpoint reports the configured chain id
 * in the same batch.
 *
 * @param unusable is called when an endpoint becomes unusable, with the reason
 */
function createAskEndpoint(chainId: number, unusable: (endpoint: Endpoint, reason: string) => void): AskEndpoint {
  function note(endpoint: Endpoint, fault: unknown): void {
    if (endpoint.usable && fault !== null) {
      const reason = fault instanceof BaseError ? fault.shortMessage : String(fault);
      unusable(endpoint, reason);
    }
    endpoint.usable = fault === null;
  }

  async function readChainId({ request }: Channel): Promise<void> {
    const served = Number(await request({ method: 'eth_chainId' }));
    if (served !== chainId) throw new BaseError(`The RPC serves chain ${served}, not chain ${chainId}`);
  }

  /** One check per tick: all calls of a tick are sent in the same batch. */
  function checkChain(channel: Channel): Promise<void> {
    if (channel.proof === null) {
      channel.proof = readChainId(channel);
      setTimeout(() => {
        channel.proof = null;
      });
    }
    return channel.proof;
  }

  return async (endpoint, call, manner) => {
    const channel = endpoint.channels[manner];
    const asked = call.method === 'eth_chainId' ? `0x${chainId.toString(16)}` : channel.request(call as never);
    const [answer, proof] = await Promise.allSettled([asked, checkChain(channel)]);
    const fault =
      proof.status === 'rejected'
        ? proof.reason
        : answer.status === 'rejected' && isFault(answer.reason)
          ? answer.reason
          : null;
    note(endpoint, fault);
    if (fault !== null) throw fault;
    return answer.status === 'fulfilled' ? { value: answer.value } : { error: answer.reason };
  };
}

/**
 * Error codes with which a node cannot answer but another node may: unknown method, internal error, not found, limit
 * exceeded.
 */
const CANNOT: ReadonlySet<number> = new Set([-32601, -32603, -32001, -32002, -32005, -32007, 429]);
const BEHIND = /header not found|missing trie node|unknown block/i;

/** Whether an error is a fault of the endpoint and not an answer of the chain. */
function isFault(error: unknown): boolean {
  const reported = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  if (!(reported instanceof RpcRequestError)) return true;
  // Some nodes report code that failed as an internal error.
  const answers = reported.data !== undefined || saysHalt(reported.details);
  return (CANNOT.has(reported.code) && !answers) || BEHIND.test(reported.details);
}
