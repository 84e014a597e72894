import type { Deps } from '../../../base/platform/deps.ts';
import { type Leadership, runAsLeader } from '../../../base/platform/leadership.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { createWaker } from '../../../base/platform/wake.ts';
import { type RetentionDeps, RULES } from './rules.ts';

type WorkerDeps = RetentionDeps & Pick<Deps, 'log'>;

/** The interval of deletions. */
const EVERY_MS = 3_600_000;
/** Of so many deletions, one walks through the tables without an index on the time. */
const PASSES_PER_WALK = 24;

/**
 * Deletes once what is kept no longer, with `walks` also what needs a walk through its table. A rule that fails is
 * logged and does not stop the others. Returns the number of deleted rows by rule.
 */
export async function deleteOld(
  deps: WorkerDeps,
  signal: AbortSignal,
  { walks }: { readonly walks: boolean },
): Promise<Readonly<Record<string, number>>> {
  const deleted: Record<string, number> = {};
  for (const rule of RULES) {
    const keptMs = rule.keptMs(deps.settings.retention);
    if (keptMs === null || signal.aborted || (rule.isWalk && !walks)) continue;
    try {
      deleted[rule.name] = await rule.delete(deps.db, deps.clock() - keptMs, signal);
    } catch (error) {
      logFailure(deps.log, error, 'old records not deleted', { rule: rule.name });
    }
  }
  return deleted;
}

/** Deletes hourly what is kept no longer, in one process at a time, first an hour after it takes the lead. */
export function startRetentionWorker(deps: WorkerDeps): Leadership {
  const { settings, log } = deps;
  return runAsLeader({
    databaseUrl: settings.databaseSessionUrl,
    name: 'retention',
    log,
    async task(signal) {
      const waker = createWaker();
      for (let pass = 0; ; pass++) {
        await waker.sleep(EVERY_MS, signal);
        if (signal.aborted) return;
        const deleted = await deleteOld(deps, signal, { walks: pass % PASSES_PER_WALK === 0 });
        if (Object.values(deleted).some((count) => count > 0)) log.info({ deleted }, 'old records deleted');
      }
    },
  });
}
