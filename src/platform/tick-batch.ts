/** What is put off until everything that arrived together has been looked at. */
export interface TickBatch {
  /** Runs `work`, which must not throw, at the end of this turn of the event loop; while that end is running, at the end of the end. */
  atEnd(work: () => void): void;
}

/**
 * Makes a turn. Requests that are there at the same time are read in one turn of the event loop, each in a callback of its own; what they ask of the
 * database can go out together once the last was read. A lone request waits for nothing.
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
