import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { createWaker } from '../../../base/platform/wake.ts';
import { type FoldDeps, foldEvents } from './fold.ts';

/** The interval of reads. */
const POLL_MS = 400;
/** The most merchants per read. */
const MERCHANTS = 200;

/** Merchants with an enabled endpoint and something that was not reported to it yet. */
const WAITING = query(
  'events-waiting-merchants',
  (_db, _: object) => sql<{ merchant: Wallet }>`
    select m.merchant from (select distinct merchant from webhook_endpoints where state = 'enabled') m
      left join event_positions p on p.merchant = m.merchant
     where p.merchant is null or p.epoch <> (select epoch from stream_epoch)
        or exists (select from receipt_history h where h.merchant = m.merchant and h.txid > p.folded_through
                      and h.txid < pg_snapshot_xmin(pg_current_snapshot()))
        or exists (select from subscription_events h where h.merchant = m.merchant and h.txid > p.folded_through
                      and h.txid < pg_snapshot_xmin(pg_current_snapshot()))
        or exists (select from merchant_events h where h.merchant = m.merchant and h.txid > p.folded_through
                      and h.txid < pg_snapshot_xmin(pg_current_snapshot()))
     limit ${sql.lit(MERCHANTS)}`,
  { computed: { merchant: 'text' } },
);

/**
 * Turns what happened to merchants with endpoints into events, within a second, until it is stopped. Any number of
 * workers may run at once. Nothing is read for a merchant without endpoints.
 */
export function startEventWorker(deps: FoldDeps & Pick<Deps, 'db' | 'log'>): { stop(): Promise<void> } {
  const waker = createWaker();
  const stopping = new AbortController();

  async function foldWaiting(): Promise<boolean> {
    const waiting = await deps.db.run(WAITING, {});
    let more = waiting.length === MERCHANTS;
    for (const { merchant } of waiting) {
      if (stopping.signal.aborted) break;
      try {
        if ((await foldEvents(deps.db, merchant, { waits: false })).more) more = true;
      } catch (error) {
        logFailure(deps.log, error, 'events not made yet', { merchant });
      }
    }
    return more;
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const more = await foldWaiting().catch((error: Error) => {
        logFailure(deps.log, error, 'merchants with events not read');
        return false;
      });
      if (!more) await waker.sleep(POLL_MS, stopping.signal);
    }
  }

  const working = work();
  return {
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
