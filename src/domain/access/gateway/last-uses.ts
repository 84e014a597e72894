import type { Db } from '../../../base/platform/db.ts';
import type { Logger } from '../../../base/platform/log/log.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { keyUses } from '../keys/find.ts';
import { sessionUses } from './session.ts';

/** How often uses that are due are written. Each key and session is written at most once a minute. */
const WRITE_MS = 2_000;

/** Writes when keys and sessions were last used, in batches, until it is stopped. */
export function startLastUses(db: Db, log: Logger): { stop(): Promise<void> } {
  const write = async () => {
    await keyUses(db).write();
    await sessionUses(db).write();
  };
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= write()
      .catch((error: Error) => logFailure(log, error, 'last uses were not written'))
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
