import { createClient } from 'graphql-ws';
import type { Operation, Proof } from './graphql.ts';
import { closeCode, FORBIDDEN, socketUrl } from './socket.ts';

/** How a stream ended: its credential is invalid or has expired, or the connection broke and can be opened again. */
export type StreamEnd = 'forbidden' | 'broken';

/** A GraphQL subscription to follow. */
export interface LiveStream<Data, Variables> {
  readonly url: string;
  readonly query: Operation<Data, Variables>;
  readonly variables: Variables;
  readonly proof: Proof;
  readonly signal?: AbortSignal;
  /** Called when the stream is open. */
  onOpen(): void;
  onData(data: Data): void;
}

/** A socket that is not open after this time is assumed to be blocked by a proxy. */
const OPEN_MS = 5_000;
/** Close codes of the server start here; lower codes come from the network. */
const OWN_CODES = 4_000;

/**
 * Follows a subscription until it ends: over a websocket, or as server-sent events if websockets are blocked (by some
 * office and hotel proxies). It never reconnects by itself, because only the caller knows where to resume.
 */
export async function followStream<Data, Variables extends object>(
  stream: LiveStream<Data, Variables>,
): Promise<StreamEnd> {
  const end = await overSocket(stream);
  if (end !== 'blocked') return end;
  return overEvents(stream).catch(() => 'broken');
}

interface Result<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly unknown[];
}

function overSocket<Data, Variables extends object>(
  stream: LiveStream<Data, Variables>,
): Promise<StreamEnd | 'blocked'> {
  const { url, query, variables, proof, signal, onOpen, onData } = stream;
  return new Promise((resolve) => {
    let connected = false;
    let over = false;
    let stop = () => {};
    const client = createClient({
      url: socketUrl(url, location.href),
      connectionParams: { ...proof },
      retryAttempts: 0,
      keepAlive: 12_000,
      on: {
        connected: () => {
          if (over) return;
          clearTimeout(impatience);
          connected = true;
          onOpen();
        },
      },
    });
    const end = (error?: unknown) => {
      if (over) return;
      over = true;
      clearTimeout(impatience);
      signal?.removeEventListener('abort', end);
      const code = closeCode(error);
      if (code === FORBIDDEN) resolve('forbidden');
      else resolve(connected || code >= OWN_CODES || signal?.aborted ? 'broken' : 'blocked');
      // A subscription that still waits for its connection would be sent over the closing socket.
      stop();
      // It waits for a connection that is being opened, which may fail.
      Promise.resolve(client.dispose()).catch(() => {});
    };
    const impatience = setTimeout(end, OPEN_MS);
    signal?.addEventListener('abort', end);
    stop = client.subscribe<Data>(
      { query, variables: variables as Record<string, unknown> },
      {
        next({ data, errors }) {
          if (errors || !data) end();
          else if (!over) onData(data);
        },
        error: end,
        complete: () => end(),
      },
    );
  });
}

async function overEvents<Data, Variables extends object>(stream: LiveStream<Data, Variables>): Promise<StreamEnd> {
  const { url, query, variables, proof, signal, onOpen, onData } = stream;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...proof },
    body: JSON.stringify({ query, variables }),
    cache: 'no-store',
    signal,
  });
  if (answer.status === 401 || answer.status === 403) return 'forbidden';
  if (!answer.ok || !answer.body) return 'broken';
  onOpen();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = ''; ; ) {
      const { value, done } = await reader.read();
      if (done) return 'broken';
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, result] = /^data: (\{.*)$/m.exec(event) ?? [];
        if (!result) continue;
        const { data, errors } = JSON.parse(result) as Result<Data>;
        if (errors || !data) return 'broken';
        onData(data);
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
