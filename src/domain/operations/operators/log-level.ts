import type { Deps } from '../../../base/platform/deps.ts';
import { type LevelOrder, setLogLevels } from '../../../base/platform/log-levels.ts';
import { recordOperation } from '../../../base/records/audit/record.ts';

/** Sets the level of the log in every process until it restarts. Returns how many have set it. */
export async function changeLogLevel(deps: Pick<Deps, 'db' | 'bus' | 'clock' | 'origin'>, order: LevelOrder) {
  const processes = await setLogLevels(deps.bus, order);
  await recordOperation(deps, 'log.level_changed', ['server', order.component ?? 'all'], { level: order.level });
  return processes;
}
