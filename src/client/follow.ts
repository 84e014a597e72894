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
