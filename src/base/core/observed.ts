import { channel } from 'node:diagnostics_channel';

/**
 * What the server reports of its work, for metrics and traces. A place that reports asks `hasSubscribers` first: while
 * metrics and traces are off, it builds nothing and reads no clock.
 */
export interface Reports<Report extends object> {
  readonly hasSubscribers: boolean;
  publish(report: Report): void;
  subscribe(listener: (report: Report) => void): void;
  unsubscribe(listener: (report: Report) => void): boolean;
}

const reports = <Report extends object>(name: string): Reports<Report> =>
  channel(`quittance:${name}`) as unknown as Reports<Report>;

/** Something that has ended. */
interface Ended {
  /** On the monotonic clock, ms. */
  readonly startedMs: number;
}

/** A statement of the pipelined connections. */
export const statements = reports<Ended & { readonly name: string; readonly failed: boolean }>('statement');

/** `answer`: the node has answered with an error, such as a revert. `failed`: it gave no usable answer. */
export type RpcOutcome = 'ok' | 'answer' | 'failed';
/** A call of an RPC endpoint, named by its host. */
export const rpcCalls = reports<
  Ended & { readonly endpoint: string; readonly method: string; readonly outcome: RpcOutcome }
>('rpc');

/** An operation of GraphQL over HTTP or a websocket. `field`: its first root field. `points`: its cost. */
export const operations = reports<{
  readonly type: string;
  readonly field: string;
  readonly points: number;
  readonly failed: boolean;
}>('operation');

/** An attempt to deliver a webhook. `target`: of one receipt, or an endpoint of the merchant. */
export const webhookAttempts = reports<
  Ended & { readonly event: string; readonly target: 'receipt' | 'endpoint'; readonly delivered: boolean }
>('webhook');

/** A message of the bus. */
export const busMessages = reports<{ readonly direction: 'sent' | 'received' }>('bus');

/** A receipt has moved to a status. */
export const receiptMoves = reports<{ readonly status: string }>('receipt');

/** A charge of a subscription has ended. */
export const chargeOutcomes = reports<{ readonly outcome: 'succeeded' | 'failed' | 'declined' }>('charge');

/** A transaction of one of the server's wallets has its outcome. */
export const gasSpent = reports<{ readonly chainId: number; readonly role: string; readonly wei: bigint }>('gas');

/** An address still holds its money after its collection was mined. */
export const collectionsWithoutEffect = reports<{ readonly chainId: number }>('collection');

/** Work that a trace shows as a span. */
export interface Work {
  readonly kind: 'request' | 'resolver' | 'statement' | 'rpc' | 'webhook';
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** The work of which it is part; null if it is the first in this process. */
  readonly parent: Work | null;
  /** The `traceparent` that a caller has sent. */
  readonly remote: string | null;
  /** The `traceparent` for requests that are part of it. It is set when the work begins. */
  traceparent: string | null;
}

type SpanAttributes = Readonly<Record<string, string | number>>;

/** Work begins. Its `traceparent` is set when this returns. */
export const workBegins = reports<Work>('work-begins');

/** Work has ended. `name` replaces its name; `attributes` are added. */
export const workEnds = reports<{
  readonly work: Work;
  readonly failed: boolean;
  readonly name?: string;
  readonly attributes?: SpanAttributes;
}>('work-ends');
