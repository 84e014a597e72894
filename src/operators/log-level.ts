import { recordOperation } from '../audit/record-operation.ts';
import type { Deps } from '../platform/deps.ts';
import { type LevelOrder, setLogLevels } from '../platform/log-levels.ts';

/** Sets the level of the log in every process until it restarts. Returns how many have set it. */
export async function changeLogLevel(deps: Pick<Deps, 'bus' | 'orm' | 'clock' | 'origin'>, order: LevelOrder) {
  const processes = await setLogLevels(deps.bus, order);
  await recordOperation(deps, 'log.level_changed', ['server', order.component ?? 'all'], { level: order.level });
  return processes;
}
