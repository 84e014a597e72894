import { QuittanceError } from './errors.ts';
import { backoffMs, type CallOptions, pause, type Requester } from './request.ts';
import { openStream, type Stream, StreamEnd } from './stream.ts';

/** A stream that is opened again whenever it ends. */
export interface Followed<Item, Variables, Event> extends CallOptions {
  /** The subscription, from where the reader is now. Called before each connection. */
  next(): Promise<Pick<Stream<Item, Variables>, 'query' | 'variables' | 'opened'>>;
  /** The events of an item for the reader. */
  receive(item: Item): Iterable<Event>;
}

/** A stream that was open for this long was healthy: the next wait is short again. */
const HEALTHY_MS = 10_000;

/**
 * The events of a stream, over any number of connections. It ends when the signal is aborted or the reader stops, and
 * throws `QuittanceError` when the server would refuse it again.
 */
export async function* follow<Item, Variables, Event>(
  requester: Requester,
  { next, receive, signal }: Followed<Item, Variables, Event>,
): AsyncGenerator<Event, void, undefined> {
  for (let attempt = 0; !signal?.aborted; attempt++) {
    const begun = Date.now();
    let waitMs: number | null = null;
    try {
      for await (const item of openStream(requester, { ...(await next()), signal })) {
        attempt = 0;
        yield* receive(item);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
      if (error instanceof StreamEnd) waitMs = error.waitMs;
    }
    if (Date.now() - begun > HEALTHY_MS) attempt = 0;
    await pause(waitMs ?? backoffMs(attempt), signal).catch(() => {});
  }
}

/** Requests between two connections meet the same restarts as the connections. */
const isPassing = (error: unknown): boolean =>
  error instanceof StreamEnd ||
  (error instanceof QuittanceError &&
    (error.code === 'unreachable' || error.code === 'timeout' || error.status === 429 || (error.status ?? 0) >= 500));

type Payload = { readonly query?: string | null; readonly variables?: Readonly<Record<string, unknown>> | null };
type Sink = { next(result: { readonly data?: Readonly<Record<string, unknown>> | null }): void };
type Subscribe = (payload: Payload, sink: Sink) => () => void;

/** An event of a stream, as far as the operation selects it. */
type Place = { readonly cursor?: string; readonly seq?: number } | null;

/**
 * A client of graphql-ws whose subscriptions resume: when it reconnects by itself, each continues after the last event
 * that it received, without gaps or repeats. The operation declares `$after` and selects `cursor`, or `$afterSeq` and
 * `seq`. For Apollo Client, urql, Relay and others that take such a client.
 */
export function resumable<Client extends { subscribe(payload: never, sink: never): () => void }>(
  client: Client,
): Client {
  const subscribe: Subscribe = (payload, sink) => {
    const { query } = payload;
    // graphql-ws sends this object again after each reconnect.
    const variables: Record<string, unknown> = { ...payload.variables };
    return (client.subscribe as Subscribe)(
      { ...payload, variables },
      {
        ...sink,
        next(result) {
          const [event] = Object.values(result.data ?? {}) as Place[];
          if (event?.cursor !== undefined && query?.includes('$after:')) variables.after = event.cursor;
          if (event?.seq !== undefined && query?.includes('$afterSeq:')) variables.afterSeq = event.seq;
          sink.next(result);
        },
      },
    );
  };
  return { ...client, subscribe };
}
