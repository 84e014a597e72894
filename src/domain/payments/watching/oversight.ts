import { setTimeout } from 'node:timers/promises';
import { readHead } from '../../../base/chain/blocks.ts';
import { Refusal } from '../../../base/core/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { spreadSplits } from '../../shop/splits/spread.ts';
import { type MatchDeps, rematchTransfer } from '../matching/match.ts';
import { selectTransfers } from '../transfers/transfers.ts';
import { createDailyReading } from './coin-watches.ts';
import { checkTags } from './confirmations.ts';
import { repairStuck, reportStuck } from './stuck.ts';

/** The interval between rounds. */
const EVERY_MS = 30_000;

/**
 * Runs checks beside the watcher until the signal is aborted: adds the merchants' splits to the chain, repairs receipts
 * and reports unknown block tags once at the start; then raises alerts for receipts that stay `tx_mined` and for a
 * clock that differs from the chain's, retries transfers that could not be matched, and reads the coins of old
 * addresses. An error ends one round, not the loop.
 */
export async function oversee(deps: MatchDeps & Pick<Deps, 'chains' | 'settings'>, signal: AbortSignal): Promise<void> {
  const reported = new Set<string>();
  const skew = { reported: false };
  let isSpread = false;
  const readOldCoins = createDailyReading();
  let repaired = false;
  let tagsChecked = false;
  const rounds = [
    async () => {
      if (!isSpread) isSpread = await spreadSplits(deps);
    },
    async () => {
      if (!repaired) await repairStuck(deps, signal);
      repaired = true;
    },
    async () => {
      if (!tagsChecked) await checkTags(deps.chain, deps.log);
      tagsChecked = true;
    },
    () => reportStuck(deps, reported),
    () => reportClock(deps, skew),
    () => retryErrors(deps),
    () => readOldCoins(deps),
  ];
  while (!signal.aborted) {
    for (const round of rounds) await round().catch((error: unknown) => logFault(deps, error));
    await setTimeout(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** Outages of the chain or the database are reported by the watcher instead. */
function logFault({ log, chain }: MatchDeps, error: unknown): void {
  if (!(error instanceof Refusal)) log.error({ chainId: chain.chainId, err: error }, 'payment checks failed');
}

/**
 * Coin quotes are valid for 15 minutes of block time: a clock that is off by a third of that changes their validity
 * noticeably.
 */
const SKEW_MAX_MS = 5 * 60 * 1000;

/** Whether the alert was raised, so that each clock difference is reported once. */
export interface Skew {
  reported: boolean;
}

/**
 * Compares this machine's clock with the newest block's time and logs `alert: 'clock_skew'` if they differ by more than
 * five minutes: the clock is wrong, or the chain or the node has stopped. A local chain makes blocks on demand, so
 * there only a block time in the future counts.
 */
export async function reportClock(deps: Pick<Deps, 'chain' | 'clock' | 'log'>, skew: Skew): Promise<void> {
  const { chain, clock, log } = deps;
  const head = await readHead(chain);
  const aheadMs = clock() - head.timeMs;
  const isOff = chain.mayRestart ? aheadMs < -SKEW_MAX_MS : Math.abs(aheadMs) > SKEW_MAX_MS;
  if (isOff && !skew.reported) {
    log.error(
      { alert: 'clock_skew', chainId: chain.chainId, aheadMs, block: Number(head.number) },
      'clock and newest block time differ by more than five minutes',
    );
  }
  skew.reported = isOff;
}

/** How long a transfer that could not be matched is retried; after that only the merchant can assign it. */
const RETRY_FOR_MS = 48 * 60 * 60 * 1000;
const RETRIED_AT_ONCE = 20;

const unmatchedBy = (reason: 'error' | 'no_rate') =>
  query(`payments-retried-${reason}`, (db, $: { chainId: number; since: number }) =>
    selectTransfers(db)
      .where('chainId', '=', $.chainId)
      .where('unmatchedReason', '=', reason)
      .where('refundMarkedAt', 'is', null)
      .where('seenAt', '>', $.since)
      .orderBy('seenAt', 'desc')
      .limit(RETRIED_AT_ONCE),
  );
const RETRIED = [unmatchedBy('error'), unmatchedBy('no_rate')];

/**
 * Retries the transfers that are unmatched because matching failed or was too slow (`error`), or because there was no
 * rate for the time of their block (`no_rate`): the first one after an outage may be near enough. A transfer that fails
 * again stays unchanged; it was reported when it was first seen. Returns the number of retries.
 */
export async function retryErrors(deps: MatchDeps): Promise<number> {
  const range = { chainId: deps.chain.chainId, since: deps.clock() - RETRY_FOR_MS };
  const transfers = (await Promise.all(RETRIED.map((retried) => deps.db.run(retried, range)))).flat();
  for (const transfer of transfers) {
    await rematchTransfer(deps, transfer).catch((error: unknown) => {
      deps.log.debug(
        { err: error, transactionHash: transfer.transactionHash },
        'retry of an unmatched transfer failed',
      );
    });
  }
  return transfers.length;
}
