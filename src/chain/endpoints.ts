import { BaseError, createTransport, type EIP1193RequestFn, RpcRequestError, type Transport } from 'viem';

/** Several RPC endpoints of one chain as one transport. */
export interface Endpoints {
  readonly transport: Transport;
  /** The same for reads that may take long: they are waited for longer before the next endpoint is asked as well. */
  readonly patientTransport: Transport;
  /**
   * Counts how often another endpoint has taken over. Where it is the same before and after some reads, one endpoint has answered all of them; else one
   * that lags behind may have left out what another had promised.
   */
  readonly switches: () => number;
}

/** Something that the operator should know about an endpoint, which is named by its host: an URL may carry a key. */
export interface EndpointNews {
  readonly host: string;
  readonly event: 'in_use' | 'unusable';
  /** Why it cannot be used. */
  readonly reason?: string;
}

interface EndpointOptions {
  readonly chainId: number;
  /** The preferred one first; at least two. */
  readonly urls: readonly string[];
  /** Opens one of them. It must neither retry nor wait without end. */
  readonly open: (url: string) => Transport;
  /** Opens one for reads that may take long; as `open` unless given. */
  readonly openPatient?: (url: string) => Transport;
  readonly tell?: (news: EndpointNews) => void;
  /** How often all of them are compared. */
  readonly compareEveryMs?: number;
}

interface Line {
  readonly request: EIP1193RequestFn;
  /** Which chain it serves, as asked together with whatever else is asked in this turn. */
  proof: Promise<void> | null;
}

interface Endpoint {
  readonly host: string;
  readonly lines: Readonly<Record<Manner, Line>>;
  usable: boolean;
}

/** Whether a caller waits for the answer. */
type Manner = 'quick' | 'patient';

type Question = { method: string; params?: unknown };

/** What a node that works has said: a value, or the error that is its answer. */
type Answer = { readonly value: unknown } | { readonly error: unknown };

/** How long one endpoint is waited for before the next is asked as well. */
const PATIENCE_MS: Readonly<Record<Manner, number>> = { quick: 700, patient: 8_000 };
const ELECTION_MS = 15_000;
/** One that is further behind the newest is passed over. */
const LAG_BLOCKS = 10n;

/**
 * Asks the endpoint in use, and the next one where it fails, or has not answered for 0.7 s; whoever answers is in use from then on. Every 15 s all are
 * compared, and the first in the operator's order takes over that serves the right chain and is not more than ten blocks behind. No answer counts unless
 * the same endpoint names the right chain together with it, in the same batch.
 */
export function openEndpoints({
  chainId,
  urls,
  open,
  openPatient = open,
  tell = () => {},
  compareEveryMs = ELECTION_MS,
}: EndpointOptions): Endpoints {
  const endpoints = urls.map((url): Endpoint => {
    // The transport must not retry: each try more would be waited for.
    const lineTo = (transport: Transport): Line => ({
      request: transport({ retryCount: 0 }).request as EIP1193RequestFn,
      proof: null,
    });
    const lines = { quick: lineTo(open(url)), patient: lineTo(openPatient(url)) };
    return { host: new URL(url).host, lines, usable: true };
  });
  let current = endpoints[0]!;
  let switches = 0;
  let electedAt = Number.NEGATIVE_INFINITY;

  function use(endpoint: Endpoint): void {
    if (endpoint === current) return;
    current = endpoint;
    switches += 1;
    tell({ host: endpoint.host, event: 'in_use' });
  }

  function note(endpoint: Endpoint, fault: unknown): void {
    if (endpoint.usable && fault !== null) {
      const reason = fault instanceof BaseError ? fault.shortMessage : String(fault);
      tell({ host: endpoint.host, event: 'unusable', reason });
    }
    endpoint.usable = fault === null;
  }

  async function readChainId({ request }: Line): Promise<void> {
    const served = Number(await request({ method: 'eth_chainId' }));
    if (served !== chainId) throw new BaseError(`The RPC serves chain ${served}, not chain ${chainId}`);
  }

  /** One question a turn: what is asked in the same turn goes out in the same batch. */
  function prove(line: Line): Promise<void> {
    if (line.proof === null) {
      line.proof = readChainId(line);
      setTimeout(() => {
        line.proof = null;
      });
    }
    return line.proof;
  }

  /** Throws where the endpoint cannot be used. */
  async function askOne(endpoint: Endpoint, question: Question, manner: Manner): Promise<Answer> {
    const line = endpoint.lines[manner];
    const asked = question.method === 'eth_chainId' ? `0x${chainId.toString(16)}` : line.request(question as never);
    const [answer, proof] = await Promise.allSettled([asked, prove(line)]);
    const fault =
      proof.status === 'rejected'
        ? proof.reason
        : answer.status === 'rejected' && isFault(answer.reason)
          ? answer.reason
          : null;
    note(endpoint, fault);
    if (fault !== null) throw fault;
    return answer.status === 'fulfilled' ? { value: answer.value } : { error: answer.reason };
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

  async function ask(question: Question, manner: Manner): Promise<unknown> {
    if (performance.now() - electedAt > compareEveryMs) {
      electedAt = performance.now();
      // In the background: nobody waits for an endpoint that hangs. It fails only where an answer is nonsense.
      elect().catch(() => {});
    }
    const preferred = current;
    const order = [preferred, ...endpoints.filter((endpoint) => endpoint !== preferred)];
    const { by, answer } = await firstAnswer(
      order,
      (endpoint) => askOne(endpoint, question, manner),
      PATIENCE_MS[manner],
    );
    // Another question may have changed it meanwhile, and knows better.
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
        request: ((question: Question) => ask(question, manner)) as EIP1193RequestFn,
        retryCount: 0,
      });
  return {
    transport: transportFor('quick'),
    patientTransport: transportFor('patient'),
    switches: () => switches,
  };
}

/** Asks one after the other, the next as soon as one fails or takes long; the first answer counts. Throws what the first one said where all fail. */
function firstAnswer(
  order: readonly Endpoint[],
  ask: (endpoint: Endpoint) => Promise<Answer>,
  patienceMs: number,
): Promise<{ by: Endpoint; answer: Answer }> {
  return new Promise((resolve, reject) => {
    const faults = new Map<Endpoint, unknown>();
    let asked = 0;
    let impatience: NodeJS.Timeout | undefined;
    const askNext = () => {
      clearTimeout(impatience);
      const endpoint = order[asked];
      if (!endpoint) return;
      asked += 1;
      if (asked < order.length) impatience = setTimeout(askNext, patienceMs);
      ask(endpoint).then(
        (answer) => {
          clearTimeout(impatience);
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

/** Codes by which a node says that it cannot answer, which another one may: unknown method, internal error, not there, over its limits. */
const CANNOT: ReadonlySet<number> = new Set([-32601, -32603, -32001, -32002, -32005, -32007, 429]);
const BEHIND = /header not found|missing trie node|unknown block/i;

/** Whether an error is the endpoint's, and not the chain's answer. */
function isFault(error: unknown): boolean {
  const said = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  if (!(said instanceof RpcRequestError)) return true;
  // Some nodes report a revert as an internal error; its data tells.
  return (CANNOT.has(said.code) && said.data === undefined) || BEHIND.test(said.details);
}
