import { logFailure } from '../../../base/platform/log/outage.ts';
import { type OverdueDeps, reportOverdue, type SweepDeps, sweepSessions } from './due-sessions.ts';

/** The interval of the checks for expired checkouts and overdue deliveries. */
const SWEEP_MS = 15_000;

/** Ends card checkouts that the buyer left, and reports charged checkouts without a delivery, until stopped. */
export function startOnrampWorker(deps: SweepDeps & OverdueDeps): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => sweepSessions(deps))
      .then(() => reportOverdue(deps))
      .then(
        () => undefined,
        (error: Error) => logFailure(deps.log, error, 'card checkout sweep failed'),
      );
  }, SWEEP_MS);
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
