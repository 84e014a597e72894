import { BaseError, type EIP1193RequestFn, RpcRequestError, type Transport } from 'viem';
import { saysHalt } from './halts.ts';

interface Channel {
  readonly request: EIP1193RequestFn;
  /** The check of the served chain id, shared by all calls of this tick. */
  proof: Promise<void> | null;
}

/** One RPC endpoint of the chain. */
export interface Endpoint {
  readonly host: string;
  readonly channels: ByManner<Channel>;
  usable: boolean;
}

/**
 * How a call is sent. `quick`: a caller waits for the answer. `patient`: it may take longer. `strangers`: it runs code
 * that a stranger chose.
 */
export type Manner = 'quick' | 'patient' | 'strangers';

/** A value for each manner. */
export type ByManner<T> = Readonly<Record<Manner, T>>;

export type RpcCall = { method: string; params?: unknown };

/** The answer of a working node: a value, or an error that is its answer. */
export type Answer = { readonly value: unknown } | { readonly error: unknown };

/** The endpoint at a URL, with its transports. */
export function endpointAt(url: string, { quick, patient, strangers }: ByManner<Transport>): Endpoint {
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
export type AskEndpoint = (endpoint: Endpoint, call: RpcCall, manner: Manner) => Promise<Answer>;

/**
 * Returns a function that asks one endpoint and accepts its answer only if the endpoint reports the configured chain id
 * in the same batch.
 *
 * @param unusable is called when an endpoint becomes unusable, with the reason
 */
export function createAskEndpoint(
  chainId: number,
  unusable: (endpoint: Endpoint, reason: string) => void,
): AskEndpoint {
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
