import type { Source } from '../platform/live-feed.ts';

/** Marks a stream whose tail may be shared; the doors read it with `openStream`. */
const SOURCE = Symbol('source');

/**
 * What a subscription field's `subscribe` gives back. Subscribers of the same tail, operation, variables and rights then share one execution of each
 * event, and its bytes. A variable that only says where to resume does not part them: name its argument in the field's `extensions: { cursorArg }`. Nor do
 * rights where whoever may follow at all is told the same: say so with `extensions: { sameForAll: true }`, and every event is executed for nobody.
 *
 * @example
 * subscribe: (_root, args, context) => live(followReceipt(context, { merchant, receiptId, afterSeq: args.afterSeq ?? null })),
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

/** The source behind what `subscribe` gave back; null for an iterable of another kind. */
export function sourceOf(stream: AsyncIterable<unknown>): Source<unknown> | null {
  return (stream as { [SOURCE]?: Source<unknown> })[SOURCE] ?? null;
}
