import type { GraphQLError } from 'graphql';

/** Ends a stream with errors that are formatted already. */
export class StreamFailure extends Error {
  readonly errors: readonly GraphQLError[];
  constructor(errors: readonly GraphQLError[]) {
    super('The stream failed');
    this.errors = errors;
  }
}

/** A stream whose results do not pass through its reader. */
export interface SilentStream {
  /** Yields nothing. It returns when the stream ends, and throws `StreamFailure` when it fails. */
  readonly generator: AsyncGenerator<never, void, void>;
  /** Ends the stream, with errors where it failed. */
  end(errors?: readonly GraphQLError[]): void;
  /** `stop` is called once the reader closes the stream, at once where it has done so. */
  onClosed(stop: () => void): void;
}

/** Makes a stream that tells its reader only of its end: its results reach subscribers on a shorter way. */
export function createSilentStream(): SilentStream {
  const { promise, resolve, reject } = Promise.withResolvers<IteratorReturnResult<void>>();
  const done: IteratorReturnResult<void> = { done: true, value: undefined };
  // The reader may never ask for the next value.
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
