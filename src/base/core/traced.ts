import { AsyncLocalStorage } from 'node:async_hooks';
import { type Work, workBegins, workEnds } from './observed.ts';

/** The work of which everything that happens now is part. */
const current = new AsyncLocalStorage<Work | null>();

type Described = Pick<Work, 'kind' | 'name'> & Partial<Pick<Work, 'attributes' | 'remote'>>;

/** Begins work, as a part of the current one. End it with `workEnds`. Only while traces are on. */
export function beginWork(described: Described): Work {
  const parent = current.getStore() ?? null;
  const work: Work = { attributes: {}, remote: null, ...described, parent, traceparent: null };
  workBegins.publish(work);
  return work;
}

/** What runs in here, and later because of it, is part of the work. */
export const withinWork = <T>(work: Work, run: () => T): T => current.run(work, run);

/**
 * Runs something as work that a trace shows. Without traces it only runs.
 *
 * @param isFailure tells a result that is a failure; what throws or rejects is one
 */
export function traced<T>(
  described: Described,
  run: () => T,
  isFailure: (result: Awaited<T>) => boolean = () => false,
): T {
  if (!workBegins.hasSubscribers) return run();
  return completesWork(beginWork(described), run, { isFailure });
}

/** Runs something as the last part of a work, which ends with it. `name` and `attributes` as in `workEnds`. */
export function completesWork<T>(
  work: Work,
  run: () => T,
  {
    isFailure,
    ...ended
  }: { isFailure: (result: Awaited<T>) => boolean } & Pick<
    Parameters<typeof workEnds.publish>[0],
    'name' | 'attributes'
  >,
): T {
  const end = (failed: boolean) => workEnds.publish({ work, failed, ...ended });
  try {
    const result = withinWork(work, run);
    if (result instanceof Promise)
      result.then(
        (value) => end(isFailure(value)),
        () => end(true),
      );
    else end(isFailure(result as Awaited<T>));
    return result;
  } catch (error) {
    end(true);
    throw error;
  }
}

/**
 * What runs in here is no part of the current work: it goes on after it, for others as well. Its own work begins traces
 * of its own.
 */
export const apartFromWork = <T>(run: () => T): T => (workBegins.hasSubscribers ? current.run(null, run) : run());

/** The header that makes a request to another program part of the current trace. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const traceparent = current.getStore()?.traceparent;
  return traceparent ? { traceparent } : {};
}
