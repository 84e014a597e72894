/**
 * Ctrl-C reaches a process several times: from the terminal, from npm and from the launcher. Signals within this time
 * count as one.
 */
const SAME_MS = 500;

/** The state of the shutdown request. */
export interface Ending {
  /** The first signal; null if none has arrived. */
  readonly signal: NodeJS.Signals | null;
  /** Resolves with the first signal. */
  readonly requested: Promise<NodeJS.Signals>;
  /** Aborted by the first signal. */
  readonly end: AbortSignal;
}

/**
 * Handles SIGINT and SIGTERM from now on. `again` is called on a second request, which arrives later than repeats of
 * the first.
 */
export function catchSignals(again: () => void): Ending {
  let first: NodeJS.Signals | null = null;
  let firstAt = 0;
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (first === null) {
        first = name;
        firstAt = performance.now();
        resolve(name);
        controller.abort();
      } else if (performance.now() - firstAt > SAME_MS) again();
    });
  }
  return {
    get signal() {
      return first;
    },
    requested: promise,
    end: controller.signal,
  };
}
