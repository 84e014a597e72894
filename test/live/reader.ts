import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** One event of a merchant's stream. */
interface StreamEvent {
  readonly receiptId: string;
  readonly seq: number;
  readonly cursor: string;
}

const STREAM = 'subscription ($after: String) { receiptStatuses(after: $after) { receiptId seq cursor } }';
const ONE =
  'subscription ($id: ID!, $after: Int) { receiptStatus(receiptId: $id, afterSeq: $after) { receiptId seq cursor } }';
const AGAIN_MS = 50;

export interface Reader {
  /** What it has heard, in order, as `receipt:seq`. */
  readonly heard: string[];
  readonly connections: number;
  /** Cuts its connection, as a bad network does. */
  cut(): void;
  stop(): void;
}

export interface ReaderOptions {
  /** `ws://…/api/graphql`; asked before each connection. */
  readonly url: () => string;
  readonly params: Record<string, string>;
  /** Where to begin: a cursor, or a receipt's seq. */
  readonly after: string | number;
  /** One receipt instead of all. */
  readonly receiptId?: string;
}

/**
 * Follows a merchant's receipts as docs/integrate/live.md tells clients to: whenever the stream ends, however it does,
 * again after the last cursor.
 */
export function startReader({ url, params, after, receiptId }: ReaderOptions): Reader {
  const heard: string[] = [];
  let cursor: string | number = after;
  let connections = 0;
  let stopped = false;
  let socket: WebSocket | null = null;
  let end: () => void = () => {};

  function connect(): void {
    if (stopped) return;
    connections += 1;
    class Held extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols);
        socket = this;
      }
    }
    const client = createClient({ url: url(), webSocketImpl: Held, connectionParams: params, retryAttempts: 0 });
    let over = false;
    // A connection that never opened rejects here, after `error` has said so.
    const dispose = () => void Promise.resolve(client.dispose()).catch(() => {});
    const again = () => {
      if (over) return;
      over = true;
      dispose();
      setTimeout(connect, AGAIN_MS);
    };
    end = dispose;
    client.subscribe<Record<string, StreamEvent>>(
      { query: receiptId ? ONE : STREAM, variables: { after: cursor, id: receiptId } },
      {
        next: ({ data }) => {
          const event = data?.receiptStatuses ?? data?.receiptStatus;
          if (!event || over) return;
          cursor = receiptId ? event.seq : event.cursor;
          heard.push(`${event.receiptId}:${event.seq}`);
        },
        error: again,
        complete: again,
      },
    );
  }
  connect();
  return {
    heard,
    get connections() {
      return connections;
    },
    cut: () => socket?.terminate(),
    stop() {
      stopped = true;
      end();
    },
  };
}
