import { setImmediate, setTimeout } from 'node:timers/promises';
import { createSourceEventStream, type ExecutionResult, GraphQLError } from 'graphql';
import type { Caller } from '../core/caller.ts';
import type { Source } from '../platform/live-feed.ts';
import type { Context } from './context.ts';
import { formatError } from './errors.ts';
import type { Executor } from './execute.ts';
import { type Batch, createGroups, runnerOf, type StreamScope, type Subscription } from './groups.ts';
import { sourceOf } from './live.ts';

/** How many missed events are executed for one subscriber before it yields to others. */
const AT_ONCE = 100;

/** The delay after an empty read before the live feed was joined. It doubles each time, up to the maximum. */
const EMPTY_WAIT_MS = 10;
const LONGEST_EMPTY_WAIT_MS = 1_000;

/** Receives a subscriber's results. */
export interface Sink {
  /** Sends results immediately. Neither waits nor throws. */
  send(batch: Batch): void;
  /** Resolves once most of the buffer has been sent, so that catching up is no faster than the client reads. */
  drained(): Promise<void> | void;
  /** Ends the stream, with errors if it failed. */
  end(errors?: readonly GraphQLError[]): void;
}

/** An open stream. */
interface Stream {
  /** Ends the stream; its sink receives nothing more. */
  stop(): void;
}

/** Opens a stream, or returns the errors that prevent it. */
export type OpenStream = (subscription: Subscription, sink: Sink) => Promise<Stream | { refused: ExecutionResult }>;

/**
 * Creates the function that opens a server's subscriptions. The source is opened with the subscriber's rights, and
 * missed events are executed for this subscriber alone. Live events are executed once for all subscribers with the same
 * operation, variables and rights. So are events that all of them read as the same objects. Each event has its own
 * context, so that loaders and entity managers never outlive it.
 */
export function createSubscriptions(
  executor: Executor,
  contextOf: (caller: Caller, host: string) => Context,
  scope: StreamScope,
): OpenStream {
  const groups = createGroups(executor, contextOf, scope);

  return async (subscription, sink) => {
    const { prepared, variables, caller, host, correlationId } = subscription;
    // Events may be executed without a caller for many subscribers, so the caller's page is checked here.
    const refusal = prepared.pageRefusal(caller);
    if (refusal) return { refused: { errors: [new GraphQLError(refusal.message, { originalError: refusal })] } };
    const opened = await createSourceEventStream({
      schema: executor.schema,
      document: prepared.document,
      operationName: prepared.operation.name?.value ?? null,
      contextValue: contextOf(caller, host),
      variableValues: variables,
    });
    if (!(Symbol.asyncIterator in opened)) return { refused: opened };
    const source = sourceOf(opened) ?? unshared(opened);
    let leave: (() => void) | null = null;
    let stopped = false;
    const stop = () => {
      if (stopped) return;
      stopped = true;
      leave?.();
      source.close();
    };

    /** Sends missed events page by page until the subscriber has joined the live feed. */
    async function catchUp(): Promise<void> {
      const run = source.shared
        ? groups.runShared(subscription)
        : runnerOf(subscription, source, () => contextOf(caller, host), scope);
      let emptyWaitMs = EMPTY_WAIT_MS;
      for (;;) {
        const page = await source.read();
        const events = source.wants ? page.events.filter((event) => source.wants?.(event)) : page.events;
        for (let from = 0; from < events.length && !stopped; from += AT_ONCE) {
          const batch = await run(events.slice(from, from + AT_ONCE));
          if (stopped) return;
          sink.send(batch);
          await sink.drained();
          // Yield to the event loop between batches.
          if (from + AT_ONCE < events.length) await setImmediate();
        }
        if (stopped) return;
        if (page.ended) return end();
        if (!page.more && source.joinFeed()) break;
        if (page.more || page.events.length > 0) {
          emptyWaitMs = EMPTY_WAIT_MS;
          continue;
        }
        // Never read in a tight loop, for any reason that the source cannot join the feed.
        await setTimeout(emptyWaitMs, undefined, { ref: false });
        if (stopped) return;
        emptyWaitMs = Math.min(2 * emptyWaitMs, LONGEST_EMPTY_WAIT_MS);
      }
      leave = groups.join(subscription, { source, take: (batch) => sink.send(batch), fail });
    }
    function end(errors?: readonly GraphQLError[]): void {
      stop();
      sink.end(errors);
    }
    function fail(error: Error): void {
      if (!stopped) end([formatError(new GraphQLError('', { originalError: error }), { ...scope, correlationId })]);
    }
    catchUp().catch(fail);
    return { stop };
  };
}

/** The source of a stream that is not shared, read event by event. */
function unshared(stream: AsyncIterable<unknown>): Source<unknown> {
  const events = stream[Symbol.asyncIterator]();
  return {
    tail: { listen: () => () => {} },
    async read() {
      const next = await events.next();
      return next.done ? { events: [], more: false, ended: true } : { events: [next.value], more: true };
    },
    joinFeed: () => false,
    hasRead: () => false,
    close: () => void events.return?.(),
  };
}
