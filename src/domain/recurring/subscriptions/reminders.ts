import type { Deps } from '../../../base/platform/deps.ts';
import { REMINDER_QUEUE, schedule, workOn } from '../../../base/platform/jobs.ts';
import { retryStart } from '../../../base/platform/postgres/retry-start.ts';
import { remindOfCharges } from './contact.ts';

/** Each hour, in UTC. */
const HOURLY = '7 * * * *';

/** Reminds subscribers of coming charges until it is stopped; one of all processes each hour. */
export async function startReminders(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>,
): Promise<{ stop(): Promise<void> }> {
  const { mail } = deps.settings;
  await retryStart(() => schedule(deps.db, REMINDER_QUEUE, mail === null ? null : HOURLY));
  if (mail === null) return { stop: async () => {} };
  return workOn(deps.db, deps.log, REMINDER_QUEUE, () => remindOfCharges(deps));
}
