/** Defers work until all requests that arrived together have been read. */
export interface TickBatch {
  /**
   * Runs `work` at the end of this turn of the event loop. Work that is added during the end runs last. `work` must not
   * throw.
   */
  atEnd(work: () => void): void;
}

/**
 * Requests that have arrived are read in one turn of the event loop, each in its own callback. Their statements can be
 * sent together once the last request has been read. A single request does not wait.
 */
export function createTickBatch(): TickBatch {
  let works: (() => void)[] = [];
  let ending = false;

  function end(): void {
    ending = true;
    for (let i = 0; i < works.length; i++) works[i]!();
    works = [];
    ending = false;
  }

  return {
    atEnd(work) {
      if (works.length === 0 && !ending) setImmediate(end);
      works.push(work);
    },
  };
}
