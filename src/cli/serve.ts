import { type Running, serve, type Worker, work } from '../app.ts';
import { LOCAL_CHAIN_ID } from '../chain/client.ts';
import { prepareDemo, walk } from './demo.ts';
import { type CommandDeps, openCommandDeps } from './open-deps.ts';
import { catchSignals } from './signals.ts';

/** A running process ends within this, whatever still hangs. */
const DRAIN_MS = 9_000;

/** What a command runs, each part as soon as it is up. */
type Parts = AsyncGenerator<Running | Worker, void>;

/** Brings the parts up, runs until a signal comes, also while they are coming up, and stops what is up; what hangs is left after a while. */
async function runUntilSignalled(options: { worker: boolean }, begin: (ground: CommandDeps) => Parts): Promise<void> {
  const ending = catchSignals(() => process.exit(130));
  // A file that may not grow any further (a limit of the operator's) is an error of that write, not the end of the process.
  process.on('SIGXFSZ', () => {});
  const ground = await openCommandDeps(options);
  const up: (Running | Worker)[] = [];
  try {
    for await (const part of begin(ground)) {
      up.push(part);
      if (ending.signal) break;
    }
    ground.log.info({ signal: await ending.asked }, 'stopping');
  } finally {
    const deadline = setTimeout(() => {
      ground.log.error('stopped without waiting any longer');
      process.exit(1);
    }, DRAIN_MS);
    await Promise.all(up.map((part) => part.stop()));
    await ground.close();
    clearTimeout(deadline);
  }
}

/** `quittance serve`: the server, with the workers beside it unless `--no-worker` says otherwise. */
export function runServe({ worker }: { worker: boolean }): Promise<void> {
  return runUntilSignalled({ worker }, async function* (ground) {
    const running = await serve(ground.deps);
    yield running;
    if (worker) yield await work(ground.deps);
    ground.log.info({ url: running.url, worker }, 'listening');
  });
}

/** `quittance worker`: the workers alone. */
export function runWorker(): Promise<void> {
  return runUntilSignalled({ worker: true }, async function* (ground) {
    yield await work(ground.deps);
    ground.log.info('working');
  });
}

/** `npm start`: everything, with a demo merchant and a walk to copy. */
export function runStart(): Promise<void> {
  return runUntilSignalled({ worker: true }, async function* (ground) {
    const demo = await prepareDemo(ground.deps);
    const running = await serve(ground.deps);
    yield running;
    yield await work(ground.deps);
    const { rpcUrl, chainId } = ground.deps.settings;
    const localRpcUrl = chainId === LOCAL_CHAIN_ID ? rpcUrl : null;
    process.stdout.write(walk(demo, { url: running.url, localRpcUrl, chainId }));
  });
}
