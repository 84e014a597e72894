import { createClient } from 'graphql-ws/client';
import { type GraphqlError, graphqlRefusal, QuittanceError } from './errors.ts';
import type { Operation } from './operation.ts';
import { addressOf, type Requester } from './request.ts';

/** A subscription to open once. */
export interface Stream<Item, Variables> {
  readonly query: Operation<Item, Variables>;
  readonly variables: Variables;
  readonly signal?: AbortSignal;
  /** Called when the server has accepted the connection. */
  opened?(connection: Connection<Item>): void;
}

/** An open connection, for what else its reader has to do. */
export interface Connection<Item> {
  /** Adds an item to those of the stream. */
  push(item: Item): void;
  /** Ends the stream. */
  fail(error: unknown): void;
  isOver(): boolean;
}

/** Why a stream ended that can be opened again, and whether it was ever open. */
export class StreamEnd extends Error {
  readonly wasOpen: boolean;
  /** How long to wait, if the server says so. */
  readonly waitMs: number | null;
  constructor(wasOpen: boolean, waitMs: number | null, cause: unknown) {
    super('The stream has ended', { cause });
    this.wasOpen = wasOpen;
    this.waitMs = waitMs;
  }
}

/** A stream whose reader has fallen this far behind is closed, and opened again when the reader has caught up. */
const MAX_PENDING = 1_000;
const OPEN_MS = 10_000;
const PING_MS = 12_000;
const PONG_MS = 6_000;

const FORBIDDEN = 4403;
/** Close codes after which the same client would be refused again: it speaks the protocol wrongly. */
const FINAL = new Set([1009, 4400, 4401, 4406, 4409, 4429]);
/** Codes of refusals that pass. */
const PASSING = new Set(['rate_limited', 'too_many_streams', 'failed', 'datastore_unavailable', 'chain_unavailable']);

/**
 * The items of a subscription until the stream ends. Throws `StreamEnd` if it can be opened again, else
 * `QuittanceError`. It does not reconnect, because only the caller knows where to resume.
 */
export async function* openStream<Item, Variables>(
  requester: Requester,
  stream: Stream<Item, Variables>,
): AsyncGenerator<Item, void> {
  const pending: Item[] = [];
  let ended: { readonly cause: unknown } | null = null;
  let isOpen = false;
  let wake = () => {};
  const end = (cause: unknown) => {
    ended ??= { cause };
    wake();
  };
  const push = (item: Item) => {
    if (ended) return;
    pending.push(item);
    if (pending.length >= MAX_PENDING) end(null);
    wake();
  };

  const { query, variables, signal } = stream;
  const stopWaiting = setTimeout(() => end(null), OPEN_MS);
  const client = openSocket(requester, {
    opened() {
      clearTimeout(stopWaiting);
      isOpen = true;
      stream.opened?.({ push, fail: end, isOver: () => ended !== null });
    },
  });
  const abort = () => end(null);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  client.subscribe<Item>(
    { query, variables: variables as Record<string, unknown> },
    {
      next: ({ data, errors }) => (errors || !data ? end(errors ?? null) : push(data)),
      error: end,
      complete: () => end(null),
    },
  );
  try {
    for (;;) {
      while (pending.length > 0 && !signal?.aborted) yield pending.shift() as Item;
      if (ended) throw reasonOf((ended as { cause: unknown }).cause, isOpen);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    clearTimeout(stopWaiting);
    signal?.removeEventListener('abort', abort);
    ended ??= { cause: null };
    // A connection that does not open cannot be closed in order.
    if (!isOpen) client.terminate();
    void client.dispose();
  }
}

/** A websocket that detects a server that no longer answers. */
function openSocket({ options, proof }: Requester, on: { opened(): void }) {
  let late: ReturnType<typeof setTimeout>;
  const client = createClient({
    url: addressOf(options, '/api/graphql').replace(/^http/, 'ws'),
    connectionParams: proof,
    webSocketImpl: options.webSocketImpl,
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      connected: on.opened,
      ping: (received) => {
        if (!received) late = setTimeout(() => client.terminate(), PONG_MS);
      },
      pong: (received) => {
        if (received) clearTimeout(late);
      },
      closed: () => clearTimeout(late),
    },
  });
  return client;
}

/** The error for the end of a stream: a list of refusals, a closed socket, or no reason at all. */
function reasonOf(cause: unknown, wasOpen: boolean): QuittanceError | StreamEnd {
  if (cause instanceof QuittanceError) return cause;
  if (Array.isArray(cause)) return ofRefusal(graphqlRefusal(cause[0] as GraphqlError), wasOpen);
  const { code, reason } = (cause ?? {}) as { code?: number; reason?: string };
  // Credentials may have expired while the stream was open: new ones are tried once.
  if (code === FORBIDDEN && !wasOpen) {
    const message = 'The server accepts none of the credentials';
    return new QuittanceError({ code: 'unauthorized', message, status: 401, cause });
  }
  if (code !== undefined && FINAL.has(code)) {
    const message = `The server closed the stream: ${reason || code}`;
    return new QuittanceError({ code: 'invalid_answer', message, cause });
  }
  return new StreamEnd(wasOpen, null, cause);
}

function ofRefusal(error: QuittanceError, wasOpen: boolean): QuittanceError | StreamEnd {
  if (!PASSING.has(error.code)) return error;
  const { resetAt } = error.details;
  return new StreamEnd(wasOpen, resetAt === undefined ? null : Math.max(0, resetAt - Date.now()), error);
}
