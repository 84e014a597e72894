import { keptBy } from '../core/kept.ts';

const ALERT_INTERVAL_MS = 3_600_000;
/** When each alert was raised, by the logger that it went to. */
const raisedAt = keptBy('alerts', (_log: object) => new Map<string, number>());

/** Whether an alert about `key` may be raised now: at most once an hour per process. Counts as raised if so. */
export function isAlertDue(log: object, key: string): boolean {
  const now = performance.now();
  const alerts = raisedAt(log);
  if (now - (alerts.get(key) ?? Number.NEGATIVE_INFINITY) < ALERT_INTERVAL_MS) return false;
  alerts.set(key, now);
  return true;
}

/** Records that the cause of an alert is gone, so that it is raised at once when it returns. */
export function endAlert(log: object, key: string): void {
  raisedAt(log).delete(key);
}
