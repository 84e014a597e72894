import { LOCAL_CHAIN_ID } from '../../base/core/local-chains.ts';
import { StartEnded } from '../../base/platform/postgres/reach-database.ts';
import { type Running, serve, type Worker, work } from '../app.ts';
import { prepareDemo, walk } from './demo.ts';
import { type CommandDeps, openCommandDeps, withDeps } from './open-deps.ts';

/**
 * Ctrl-C reaches a process several times: from the terminal, from npm and from the launcher. Signals within this time
 * count as one.
 */
const SAME_MS = 500;

/** The state of the shutdown request. */
interface Ending {
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
function catchSignals(again: () => void): Ending {
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

/** The time limit of a shutdown, even if a part hangs. */
const DRAIN_MS = 9_000;

/** The parts of a command, each yielded once it is running. */
type Parts = AsyncGenerator<Running | Worker, void>;

/**
 * Starts the parts and runs until a signal arrives, also during the start. Then stops the running parts, within the
 * time limit.
 */
async function runUntilSignalled(begin: (command: CommandDeps) => Parts): Promise<void> {
  const ending = catchSignals(() => process.exit(130));
  // A write that exceeds the file size limit is then an error of that write and does not end the process.
  process.on('SIGXFSZ', () => {});
  const command = await openCommandDeps({ end: ending.end }).catch((error: Error) => {
    if (error instanceof StartEnded) return null;
    throw error;
  });
  if (command === null) return;
  const up: (Running | Worker)[] = [];
  try {
    for await (const part of begin(command)) {
      up.push(part);
      if (ending.signal) break;
    }
    command.log.info({ signal: await ending.requested }, 'stopping');
  } finally {
    const deadline = setTimeout(() => {
      command.log.error('shutdown timed out');
      process.exit(1);
    }, DRAIN_MS);
    await Promise.all(up.map((part) => part.stop()));
    await command.close();
    // The process ends now. If anything still keeps it alive, the deadline ends it.
    deadline.unref();
  }
}

/** `quittance serve`: the server, and the workers unless `--no-worker` is given. */
export function runServe({ worker }: { worker: boolean }): Promise<void> {
  return runUntilSignalled(async function* (command) {
    const running = await serve(command.deps);
    yield running;
    if (worker) yield await work(command.deps);
    command.log.info({ url: running.url, worker }, 'listening');
  });
}

/** `quittance worker`: the workers only. */
export function runWorker(): Promise<void> {
  return runUntilSignalled(async function* (command) {
    yield await work(command.deps);
    command.log.info('working');
  });
}

/** `npm start`: everything, with a demo merchant and a walkthrough. */
export function runStart(): Promise<void> {
  return runUntilSignalled(async function* (command) {
    const demo = await prepareDemo(command.deps);
    const running = await serve(command.deps);
    yield running;
    yield await work(command.deps);
    const { rpcUrl, chainId } = command.deps.settings;
    const localRpcUrl = chainId === LOCAL_CHAIN_ID ? rpcUrl : null;
    process.stdout.write(walk(demo, { url: running.url, localRpcUrl, chainId }));
  });
}

/** `quittance migrate`: opening the dependencies applies pending migrations. */
export async function migrateTables(): Promise<void> {
  await withDeps(async () => {}, { migrates: true });
  process.stdout.write('The tables are up to date.\n');
}
