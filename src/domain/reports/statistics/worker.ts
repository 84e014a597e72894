import type { Deps } from '../../../base/platform/deps.ts';
import { runAsLeader } from '../../../base/platform/leadership.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { createWaker } from '../../../base/platform/wake.ts';
import { countAll } from './recount.ts';

/** The interval of looks for changes. */
const LOOK_MS = 1_000;

type WorkerDeps = Pick<Deps, 'db' | 'settings' | 'log'>;

/** Keeps the statistics up to date, in one process at a time. */
export function startStatisticsWorker(deps: WorkerDeps): { stop(): Promise<void> } {
  const { settings, log } = deps;
  return runAsLeader({
    databaseUrl: settings.databaseSessionUrl,
    name: 'statistics',
    log,
    async task(signal) {
      const waker = createWaker();
      while (!signal.aborted) {
        await countAll(deps.db, signal).catch((error: Error) => logFailure(log, error, 'statistics not counted'));
        await waker.sleep(LOOK_MS, signal);
      }
    },
  });
}
