import type { Deps } from '../../../base/platform/deps.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { keyUses } from '../keys/find.ts';
import { sessionUses } from './session.ts';

/** How often uses that are due are written. Each key and session is written at most once a minute. */
const WRITE_MS = 2_000;

/** Writes when keys and sessions were last used, in batches, until it is stopped. */
export function startLastUses(deps: Pick<Deps, 'db' | 'log'>): { stop(): Promise<void> } {
  const write = async () => {
    await keyUses(deps.db).write();
    await sessionUses(deps.db).write();
  };
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= write()
      .catch((error: Error) => logFailure(deps.log, error, 'last uses were not written'))
      .finally(() => {
        running = null;
      });
  }, WRITE_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
      // A lost note is no harm: the next use is noted again.
      await write().catch(() => {});
    },
  };
}
