import { logFailure } from '../platform/outage.ts';
import { type OverdueDeps, reportOverdue } from './overdue.ts';
import { type SweepDeps, sweepSessions } from './sweep.ts';

/** How often it is looked for checkouts whose time is over, and for deliveries that should have come. */
const SWEEP_MS = 15_000;

/** Ends card checkouts whose buyer is gone, and tells of those that were charged and not delivered, until it is stopped. */
export function startOnrampWorker(deps: SweepDeps & OverdueDeps): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => sweepSessions(deps))
      .then(() => reportOverdue(deps))
      .then(
        () => undefined,
        (error: Error) => logFailure(deps.log, error, 'card checkouts could not be looked after'),
      );
  }, SWEEP_MS);
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
