import type { Deps } from '../../../base/platform/deps.ts';
import { runAsLeader } from '../../../base/platform/leadership.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { createWaker } from '../../../base/platform/wake.ts';
import { readSearchLag } from './index-state.ts';
import { indexStep } from './indexer.ts';

/** The interval of looks for changes. The search is at most a second behind. */
const LOOK_MS = 400;
/** The pause after a failure. */
const FAULT_MS = 2_000;
/** How often the lag is checked, and from when it raises an alert. */
const CHECK_MS = 10_000;
const BEHIND_MS = 30_000;

type WorkerDeps = Pick<Deps, 'db' | 'settings' | 'clock' | 'log'>;

/** Keeps the search up to date, in one process at a time. */
export function startSearchWorker(deps: WorkerDeps): { stop(): Promise<void> } {
  const { settings, log } = deps;
  return runAsLeader({
    databaseUrl: settings.databaseSessionUrl,
    name: 'receipt search',
    log,
    async task(signal) {
      const waker = createWaker();
      let checkedAt = performance.now();
      while (!signal.aborted) {
        let pauseMs = LOOK_MS;
        try {
          const { more } = await indexStep(deps.db);
          if (more) pauseMs = 0;
          if (performance.now() - checkedAt > CHECK_MS) {
            checkedAt = performance.now();
            await reportLag(deps);
          }
        } catch (error) {
          logFailure(log, error, 'receipt search failed');
          pauseMs = FAULT_MS;
        }
        await waker.sleep(pauseMs, signal);
      }
    },
  });
}

async function reportLag(deps: WorkerDeps): Promise<void> {
  const { lagMs } = await readSearchLag(deps.db, deps.clock());
  if (lagMs > BEHIND_MS) deps.log.error({ alert: 'receipt_search_behind', lagMs }, 'searches miss new receipts');
}
