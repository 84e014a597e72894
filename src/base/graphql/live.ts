import type { Source } from '../platform/live-feed.ts';

/** Marks a stream whose events may be shared; transports read it with `openStream`. */
const SOURCE = Symbol('source');

/**
 * Wraps a source as the result of a subscription field's `subscribe`. Subscribers with the same feed, operation,
 * variables and rights share one execution of each event and its serialized bytes.
 *
 * - `extensions: { cursorArg }` names the argument that only sets where to resume; it does not separate subscribers.
 * - `extensions: { sameForAll: true }` declares that every authorized subscriber receives the same events. They are
 *   executed anonymously.
 *
 * @example
 * subscribe: (_root, args, context) => live(followReceipt(context, { receiptId, afterSeq: args.afterSeq ?? null })),
 */
export function live<E>(source: Source<E>): AsyncIterable<E> {
  return Object.assign(
    {
      [Symbol.asyncIterator](): AsyncIterator<E> {
        throw new Error('A live stream is opened with openStream');
      },
    },
    { [SOURCE]: source },
  );
}

/** The source wrapped by `live`; null for any other iterable. */
export function sourceOf(stream: AsyncIterable<unknown>): Source<unknown> | null {
  return (stream as { [SOURCE]?: Source<unknown> })[SOURCE] ?? null;
}
