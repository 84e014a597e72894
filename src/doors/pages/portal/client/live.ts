import { createClient } from 'graphql-ws';
import { socketUrl } from '../../client/socket.ts';
import { PortalStatus, type PortalStatusSubscription } from '../../generated/portal.ts';

const pollMs = 3000;
const retryFirstMs = 1000;
const retryMostMs = 20_000;

/** One row of the receipt's history, as the stream sends it. */
export type StatusEvent = PortalStatusSubscription['receiptStatus'];

export interface LiveOptions {
  url: string;
  receiptId: string;
  token(): string;
  /** The last `seq` that the page has received; the stream resumes after it. */
  afterSeq: number;
  onEvent(event: StatusEvent): void;
  /** Reads the current state: every 3 s while the socket is down or while `needsPolling` returns true. */
  poll(): Promise<void>;
  needsPolling(): boolean;
}

/** Follows a receipt by websocket, resuming after the last event, and by polling while no socket is available. */
export function followReceipt(options: LiveOptions): void {
  let seq = options.afterSeq;
  let connected = false;
  let retryMs = retryFirstMs;

  const connect = () => {
    const client = createClient({
      url: socketUrl(options.url, location.href),
      connectionParams: () => ({ Authorization: `Bearer ${options.token()}` }),
      // No retries within a client: a new client resumes after the newest `seq`, a retried subscription would not.
      retryAttempts: 0,
      lazy: true,
      keepAlive: 15_000,
      on: {
        connected: () => {
          connected = true;
          retryMs = retryFirstMs;
        },
        closed: () => {
          connected = false;
        },
      },
    });
    let ended = false;
    const again = () => {
      if (ended) return;
      ended = true;
      connected = false;
      // It waits for a connection that is being opened, which may fail.
      Promise.resolve(client.dispose()).catch(() => {});
      setTimeout(connect, retryMs);
      retryMs = Math.min(retryMs * 2, retryMostMs);
    };
    client.subscribe<PortalStatusSubscription>(
      { query: PortalStatus, variables: { id: options.receiptId, afterSeq: seq } },
      {
        next: ({ data }) => {
          if (!data) return;
          seq = Math.max(seq, data.receiptStatus.seq);
          options.onEvent(data.receiptStatus);
        },
        error: again,
        complete: again,
      },
    );
  };

  connect();
  setInterval(() => {
    if (document.hidden || (connected && !options.needsPolling())) return;
    // If the server is unreachable, the next poll tries again.
    options.poll().catch(() => undefined);
  }, pollMs);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) options.poll().catch(() => undefined);
  });
}
