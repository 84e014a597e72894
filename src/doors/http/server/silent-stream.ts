import type { GraphQLError } from 'graphql';

/** Ends a stream with errors that are already formatted. */
export class StreamFailure extends Error {
  readonly errors: readonly GraphQLError[];
  constructor(errors: readonly GraphQLError[]) {
    super('The stream failed');
    this.errors = errors;
  }
}

/** A stream whose results do not pass through its generator. */
export interface SilentStream {
  /** Yields nothing. Returns when the stream ends, and throws `StreamFailure` when it fails. */
  readonly generator: AsyncGenerator<never, void, void>;
  /** Ends the stream, with errors if it failed. */
  end(errors?: readonly GraphQLError[]): void;
  /** Calls `stop` once the reader closes the stream, or immediately if it already has. */
  onClosed(stop: () => void): void;
}

/** Creates a stream whose generator reports only the end. Its results reach subscribers directly. */
export function createSilentStream(): SilentStream {
  const { promise, resolve, reject } = Promise.withResolvers<IteratorReturnResult<void>>();
  const done: IteratorReturnResult<void> = { done: true, value: undefined };
  // The reader may never read the next value.
  promise.catch(() => {});
  let closed = false;
  let stop: (() => void) | null = null;
  const close = async () => {
    closed = true;
    stop?.();
    // The pending `next` stays pending: the library would report its end under an id that may be in use again.
    return done;
  };
  const generator: AsyncGenerator<never, void, void> = {
    [Symbol.asyncIterator]: () => generator,
    [Symbol.asyncDispose]: async () => void (await close()),
    next: () => promise,
    return: close,
    throw: close,
  };
  return {
    generator,
    end: (errors) => (errors ? reject(new StreamFailure(errors)) : resolve(done)),
    onClosed(callback) {
      stop = callback;
      if (closed) callback();
    },
  };
}
