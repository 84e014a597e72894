const ALERT_INTERVAL_MS = 3_600_000;
/** When each alert was raised, by the logger that it went to. */
const raisedAt = new WeakMap<object, Map<string, number>>();

/** Whether an alert about `key` may be raised now: at most once an hour per process. Counts as raised if so. */
export function isAlertDue(log: object, key: string): boolean {
  const now = performance.now();
  const alerts = raisedAt.get(log) ?? new Map<string, number>();
  raisedAt.set(log, alerts);
  if (now - (alerts.get(key) ?? Number.NEGATIVE_INFINITY) < ALERT_INTERVAL_MS) return false;
  alerts.set(key, now);
  return true;
}

/** Records that the cause of an alert is gone, so that it is raised at once when it returns. */
export function endAlert(log: object, key: string): void {
  raisedAt.get(log)?.delete(key);
}
