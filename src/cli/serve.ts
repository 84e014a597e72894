import { serve, work } from '../app.ts';
import { prepareDemo, walk } from './demo.ts';
import { type Ground, openGround } from './ground.ts';

/** A running process ends within this, whatever still hangs. */
const DRAIN_MS = 9_000;

/** Resolves with the first signal that asks the process to end. */
function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
}

/** Runs until a signal comes, then stops what runs, in order; what hangs is left after a while. */
async function runUntilSignalled(ground: Ground, parts: readonly { stop(): Promise<void> }[]): Promise<void> {
  const signal = await signalled();
  ground.log.info({ signal }, 'stopping');
  const deadline = setTimeout(() => {
    ground.log.error('stopped without waiting any longer');
    process.exit(1);
  }, DRAIN_MS);
  for (const part of parts) await part.stop();
  await ground.close();
  clearTimeout(deadline);
}

/** `quittance serve`: the server, with the workers beside it unless `--no-worker` says otherwise. */
export async function runServe({ worker }: { worker: boolean }): Promise<void> {
  const ground = await openGround({ worker });
  const running = await serve(ground.deps);
  const workers = worker ? [await work(ground.deps)] : [];
  ground.log.info({ url: running.url, worker }, 'listening');
  await runUntilSignalled(ground, [running, ...workers]);
}

/** `quittance worker`: the workers alone. */
export async function runWorker(): Promise<void> {
  const ground = await openGround({ worker: true });
  const worker = await work(ground.deps);
  ground.log.info('working');
  await runUntilSignalled(ground, [worker]);
}

/** `npm start`: everything, with a demo merchant and a walk to copy. */
export async function runStart(): Promise<void> {
  const ground = await openGround({ worker: true });
  const demo = await prepareDemo(ground.deps);
  const running = await serve(ground.deps);
  const worker = await work(ground.deps);
  process.stdout.write(walk(demo, running.url));
  await runUntilSignalled(ground, [running, worker]);
}
