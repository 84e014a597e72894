/** Ctrl-C reaches a process several times over: from the terminal, from npm and from the launcher. What comes within this time is one. */
const SAME_MS = 500;

/** A wish to end, from the moment of `catchSignals` on. */
export interface Ending {
  /** The first signal; null as long as none came. */
  readonly signal: NodeJS.Signals | null;
  /** Resolves with it. */
  readonly asked: Promise<NodeJS.Signals>;
}

/** Takes SIGINT and SIGTERM from here on. `again` is called when somebody asks a second time, later than the same keystroke would. */
export function catchSignals(again: () => void): Ending {
  let first: NodeJS.Signals | null = null;
  let firstAt = 0;
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (first === null) {
        first = name;
        firstAt = performance.now();
        resolve(name);
      } else if (performance.now() - firstAt > SAME_MS) again();
    });
  }
  return {
    get signal() {
      return first;
    },
    asked: promise,
  };
}
