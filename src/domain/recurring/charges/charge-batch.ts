import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { readHead } from '../../../base/chain/blocks.ts';
import { type ErrorCode, Refusal, refuse } from '../../../base/core/errors.ts';
import { findSpender, type SpenderDeps, type SpendersDeps } from '../../../base/onchain/spender/spender.ts';
import { openSpenderKeys } from '../../../base/onchain/spender/spender-key.ts';
import { isDatabaseAway } from '../../../base/platform/log/outage.ts';
import { lockConnection, tryLock } from '../../../base/platform/postgres/advisory-lock.ts';
import { type ChargeResult, notCharged } from './charge-type.ts';
import { createDueScan, type DueSubscription } from './due-scan.ts';
import { follow } from './record-outcomes.ts';
import { runCharges } from './run-charges.ts';

/** The result of a batch of charges. */
export interface BatchReport {
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly durationMs: number;
  /** One for each subscription that was due. */
  readonly results: readonly ChargeResult[];
  /** The chains that could not be charged on: their subscriptions stay due. */
  readonly failedChains: readonly FailedChain[];
}

/** A chain on which a batch could not begin. */
export interface FailedChain {
  readonly chainId: number;
  readonly reason: ErrorCode;
}

/**
 * Subscriptions per group, and groups charged concurrently. Their product limits the number of unmined transactions.
 */
const GROUP = 50;
const GROUPS_AT_ONCE = 3;
/**
 * Attempts per group, and the base of the exponential pause between them, while the chain or the database is
 * unavailable.
 */
const TRIES = 4;
const PAUSE_MS = 500;
/** Progress is logged each time this many more charges are done. */
const LOG_EVERY = 500;

/**
 * Charges every subscription that is due by the time of the latest block of its chain, once each. The chains are
 * charged at the same time, so that none waits for another. On each chain one batch runs at a time across all
 * processes; a call during a batch processes nothing there. A chain that fails is named in the report; if every chain
 * fails, the failure of the first one is thrown. Refuses with `spender_not_configured`, `chain_unavailable` and
 * `datastore_unavailable`.
 */
export async function chargeDueSubscriptions(deps: SpendersDeps, signal?: AbortSignal): Promise<BatchReport> {
  const startedAt = performance.now();
  const places = deps.chains.map((chain) => ({ ...deps, chain })).filter((place) => findSpender(place) !== null);
  if (places.length === 0) throw refuse('spender_not_configured');
  const settled = await Promise.allSettled(places.map((place) => chargeChain(place, signal)));
  const errors = settled.map((one) => (one.status === 'rejected' ? one.reason : null));
  const unexpected = errors.find((error) => error !== null && !(error instanceof Refusal));
  if (unexpected !== undefined || errors.every((error) => error !== null)) throw unexpected ?? errors[0];
  const failedChains = errors.flatMap((error: Refusal | null, i): FailedChain[] =>
    error === null ? [] : [{ chainId: places[i]!.chain.chainId, reason: error.code }],
  );
  for (const failed of failedChains) deps.log.error(failed, 'a chain could not be charged on; its charges stay due');
  const results = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const succeeded = results.filter(({ success }) => success).length;
  return {
    failedChains,
    processed: results.length,
    succeeded,
    failed: results.length - succeeded,
    durationMs: Math.round(performance.now() - startedAt),
    results,
  };
}

async function chargeChain(deps: SpenderDeps, signal: AbortSignal | undefined): Promise<ChargeResult[]> {
  return (await withChargingLock(deps, () => chargeAll(deps, signal))) ?? [];
}

async function chargeAll(deps: SpenderDeps, signal: AbortSignal | undefined): Promise<ChargeResult[]> {
  // Record the outcomes of earlier transactions first, so that charges that succeeded are no longer due.
  for (const key of openSpenderKeys(deps)) await follow(deps, key);
  const head = await readHead(deps.chain);
  const next = createDueScan(deps.db, deps.chain, head.timeMs, GROUP);
  const results: ChargeResult[] = [];
  let previousPage: Promise<unknown> = Promise.resolve();
  let logged = 0;

  /** Reads pages one after another, because each page starts where the previous one ended. */
  const nextPage = (): Promise<DueSubscription[]> => {
    const page = previousPage.then(next);
    // The caller of this page receives its error; the next page only waits until this one ends.
    previousPage = page.catch(() => {});
    return page;
  };
  const chargePages = async () => {
    for (;;) {
      const page = signal?.aborted ? [] : await nextPage();
      if (page.length === 0) return;
      results.push(...(await chargeGroup(deps, page, signal)));
      if (results.length - logged < LOG_EVERY) continue;
      logged = results.length;
      deps.log.info({ processed: results.length }, 'charging');
    }
  };
  await Promise.all(Array.from({ length: GROUPS_AT_ONCE }, chargePages));
  if (results.length > 0) {
    const failed = results.filter(({ success }) => !success).length;
    deps.log.info({ processed: results.length, failed }, 'charge batch finished');
  }
  return results;
}

/**
 * Charges one group. If the chain or the database is unavailable, it retries the group, then leaves it for the next
 * batch; other groups continue.
 */
async function chargeGroup(
  deps: SpenderDeps,
  page: readonly DueSubscription[],
  signal: AbortSignal | undefined,
): Promise<ChargeResult[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await runCharges(deps, page, { signal });
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'failed';
      if (error instanceof Refusal && tries < TRIES && !signal?.aborted) {
        await setTimeout(PAUSE_MS * 2 ** tries);
        continue;
      }
      deps.log.error({ err: error, code }, 'charge group failed; its charges stay due');
      return page.map(({ id }) => notCharged(id, { reason: code }));
    }
  }
}

/** Runs `work` while holding the charging lock on a dedicated connection; null if another process holds the lock. */
async function withChargingLock<T>({ settings, chain }: SpenderDeps, work: () => Promise<T>): Promise<T | null> {
  const name = `charging of chain ${chain.chainId}`;
  const client = lockConnection(settings.databaseSessionUrl, name);
  try {
    return (await connectAndLock(client, name)) ? await work() : null;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Connects and tries to take the lock. Refuses with `datastore_unavailable`. */
async function connectAndLock(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.connect();
    return await tryLock(client, name);
  } catch (error) {
    throw isDatabaseAway(error) ? refuse('datastore_unavailable') : error;
  }
}
