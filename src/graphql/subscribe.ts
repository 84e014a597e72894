import { createSourceEventStream, type ExecutionResult } from 'graphql';
import type { Context } from './context.ts';
import type { Executor, Prepared } from './execute.ts';

/** A stream of results that ends at once when its consumer leaves, also while it waits for the next event. */
export type ResultStream = AsyncGenerator<ExecutionResult, void, void>;

/**
 * Opens a subscription. Its source is opened with the subscriber's rights; each event is then executed with a context of its own, so that loaders and
 * entity managers never outlive an event.
 */
export async function subscribeTo(
  executor: Executor,
  prepared: Prepared,
  freshContext: () => Context,
  variables: Record<string, unknown>,
): Promise<ResultStream | ExecutionResult> {
  const source = await createSourceEventStream({
    schema: executor.schema,
    document: prepared.document,
    operationName: prepared.operation.name?.value ?? null,
    contextValue: freshContext(),
    variableValues: variables,
  });
  if (!(Symbol.asyncIterator in source)) return source;
  const events = source[Symbol.asyncIterator]();

  const next = async (): Promise<IteratorResult<ExecutionResult, void>> => {
    const event = await events.next();
    if (event.done) return { done: true, value: undefined };
    return { done: false, value: await prepared.run(freshContext(), variables, event.value) };
  };
  const end = async (): Promise<IteratorResult<ExecutionResult, void>> => {
    await events.return?.();
    return { done: true, value: undefined };
  };
  const stream: ResultStream = {
    next,
    return: end,
    throw: async (error: unknown) => {
      await end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
  return stream;
}

/**
 * Turns a generator that waits on a signal into an iterator whose `return` ends that wait first. (A plain async generator would finish its pending wait
 * before it notices that nobody listens any more.)
 */
export function abortable<T>(
  generate: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
): AsyncIterableIterator<T, void, void> {
  const abort = new AbortController();
  const generator = generate(abort.signal);
  return {
    next: () => generator.next(),
    async return() {
      abort.abort();
      await generator.return();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
