import { readHead } from '../../../base/chain/blocks.ts';
import { patiently } from '../../../base/chain/client.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { runAsLeader } from '../../../base/platform/leadership.ts';
import { createWaker, type Waker, wakeOnHint } from '../../../base/platform/wake.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import type { MatchDeps } from '../matching/match.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { openLagAlarm } from './lag.ts';
import { oversee } from './oversight.ts';
import { watch } from './watcher.ts';

export type PaymentWorkerDeps = Pick<
  Deps,
  'db' | 'settings' | 'bus' | 'chain' | 'chains' | 'clock' | 'rates' | 'log' | 'moneyOnItsWay'
> &
  Pick<MatchDeps, 'createShares'>;

/**
 * Settles paid receipts until the signal is aborted. `waker` wakes it when the watcher has read further; `confirmed` is
 * the block read at full depth.
 */
export type SettlementLoop = (
  progress: { readonly waker: Waker; readonly confirmed: () => number | null },
  signal: AbortSignal,
) => Promise<void>;

/**
 * Starts the chain watcher and settlement in one process at a time. The other processes stand by and take over when the
 * leader stops or its RPC fails. `stop` ends both loops and releases leadership.
 */
export function startPaymentWorker(deps: PaymentWorkerDeps, settle: SettlementLoop): { stop(): Promise<void> } {
  const { settings, bus, log, chain } = deps;
  const readRate = configuredRates(deps);
  const alarm = openLagAlarm(deps);
  const leadership = runAsLeader({
    databaseUrl: settings.databaseSessionUrl,
    name: `payments of chain ${chain.chainId}`,
    log,
    isAble: () =>
      readHead(chain).then(
        () => true,
        () => false,
      ),
    async task(called) {
      const [forWatcher, forSettlement] = [createWaker(), createWaker()];
      const quiet = wakeOnHint(bus, forWatcher);
      let confirmed: number | null = null;
      const onProgress = ({ cursor }: { cursor: { confirmed: number } }) => {
        confirmed = cursor.confirmed;
        forSettlement.wake();
      };
      const watched = watchAddresses(deps);
      const failing = new AbortController();
      const signal = AbortSignal.any([called, failing.signal]);
      const pollMs = chain.client.pollingInterval;
      alarm.leads(true);
      const loops = [
        watch(
          { ...deps, chain: patiently(chain), readRate, watched },
          { waker: forWatcher, onProgress, pollMs, alarm },
          signal,
        ),
        oversee({ ...deps, readRate, watched }, signal),
        settle({ waker: forSettlement, confirmed: () => confirmed }, signal),
      ];
      try {
        // If one loop fails, all of them stop.
        await Promise.all(loops);
      } finally {
        failing.abort();
        await Promise.allSettled(loops);
        quiet();
        alarm.leads(false);
      }
    },
  });
  return {
    async stop() {
      alarm.stop();
      await leadership.stop();
    },
  };
}
