import type { Deps } from '../../../base/platform/deps.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { type EndDeps, expireReceipts } from './end.ts';

/** The interval at which expired receipts are ended. */
const SWEEP_MS = 5_000;

/** Ends the unpaid receipts whose time is over, until stopped. Several workers may run it at once. */
export function startExpiryWorker(deps: EndDeps & Pick<Deps, 'log'>): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => expireReceipts(deps))
      .catch((error: Error) => logFailure(deps.log, error, 'receipt expiry failed'));
  }, SWEEP_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
