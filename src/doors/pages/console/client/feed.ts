import { ApiError, type Operation } from '../../client/graphql.ts';
import { followStream, type StreamEnd } from '../../client/live-stream.ts';
import type { Session } from '../../client/session.ts';
import { createPatience } from '../../client/socket.ts';

/** A stream of events with cursors. */
export interface FeedSource<Data, Event extends { readonly cursor: string }> {
  readonly url: string;
  readonly session: Session;
  readonly stream: Operation<Data, { after?: string | null }>;
  /** A cursor from before anything was read; null if there is none. */
  readonly from: string | null;
  /** Reads the cursor of the stream's end. */
  readEnd(): Promise<string>;
  eventOf(data: Data): Event;
  /** Called when the server rejects the session. Resolves once it is clear whether it has ended. */
  onRejected(): Promise<void>;
}

/** What a listener is called with. */
interface FeedListener<Event> {
  onEvent?(event: Event): void;
  /** Events may have been missed: what was read before is read again. */
  onGap?(): void;
}

/** An event stream that several components share. */
export interface Feed<Event> {
  /** Adds a listener. Returns its removal. */
  listen(listener: FeedListener<Event>): () => void;
  /** Whether the stream is open, and a listener for changes of it. */
  isUp(): boolean;
  watchLine(onChange: () => void): () => void;
  /** A cursor from before anything that is read now; null if there is none. */
  position(): string | null;
  close(): void;
}

/** An interruption shorter than this is not shown. */
const DOWN_MS = 1_000;
/** After so many streams that opened and delivered nothing, the cursor may be invalid: a new one is read. */
const MOST_SILENT = 3;

/**
 * Follows a stream while it is open. After an interruption it goes on after the last event, so that none is lost, or
 * reports a gap if that event is unknown.
 */
export function createFeed<Data, Event extends { readonly cursor: string }>(
  source: FeedSource<Data, Event>,
): Feed<Event> {
  const listeners = new Set<FeedListener<Event>>();
  const line = createLine();
  const patience = createPatience();
  const closing = new AbortController();
  let cursor = source.from;
  let silent = 0;

  async function attempt(): Promise<StreamEnd> {
    const fresh = cursor === null;
    cursor ??= await source.readEnd();
    return followStream({
      url: source.url,
      query: source.stream,
      variables: { after: cursor },
      proof: { 'x-csrf-token': source.session.csrfToken },
      signal: closing.signal,
      onOpen() {
        silent += 1;
        patience.reset();
        line.up();
        if (fresh) for (const { onGap } of listeners) onGap?.();
      },
      onData(data) {
        silent = 0;
        const event = source.eventOf(data);
        cursor = event.cursor;
        for (const { onEvent } of listeners) onEvent?.(event);
      },
    });
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const end = await attempt().catch(endOf);
      if (closing.signal.aborted) return;
      line.down();
      if (silent >= MOST_SILENT) {
        cursor = null;
        silent = 0;
      }
      if (end === 'forbidden') await source.onRejected().catch(() => {});
      await patience.wait();
    }
  }
  void run();

  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isUp: line.isUp,
    watchLine: line.watch,
    position: () => cursor,
    close() {
      closing.abort();
      line.up();
    },
  };
}

/** Whether the stream is open, as shown: a short interruption does not count. */
function createLine() {
  const watchers = new Set<() => void>();
  let shown = true;
  let missed: number | undefined;
  const show = (up: boolean) => {
    clearTimeout(missed);
    missed = undefined;
    if (shown === up) return;
    shown = up;
    for (const watcher of watchers) watcher();
  };
  return {
    isUp: () => shown,
    up: () => show(true),
    down() {
      missed ??= window.setTimeout(() => show(false), DOWN_MS);
    },
    watch(watcher: () => void) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

/** How a failed request ends the stream. */
function endOf(error: unknown): StreamEnd {
  const refused = error instanceof ApiError && (error.code === 'unauthorized' || error.code === 'forbidden');
  return refused ? 'forbidden' : 'broken';
}
