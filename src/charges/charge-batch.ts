import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { readHead } from '../chain/blocks.ts';
import { Refusal, refuse } from '../core/errors.ts';
import { isDatabaseAway } from '../platform/database-away.ts';
import type { SpenderDeps } from '../spender/deps.ts';
import { openSpenderKey, type SpenderKey } from '../spender/spender-key.ts';
import { type ChargeResult, notCharged } from './charge-result.ts';
import { createDueScan, type DueSubscription } from './due-scan.ts';
import { follow } from './follow-transactions.ts';
import { runCharges } from './run-charges.ts';

/** What a batch has come to. */
export interface BatchReport {
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly durationMs: number;
  /** One for each subscription that was due. */
  readonly results: readonly ChargeResult[];
}

/** So many subscriptions are charged together, and so many such groups at the same time: no more transactions are ever in no block. */
const GROUP = 50;
const GROUPS_AT_ONCE = 3;
/** What a chain or a database that is away for a moment may cost. */
const TRIES = 4;
const PAUSE_MS = 500;
/** The log tells of progress after so many. */
const TELL_EVERY = 500;

/**
 * Charges every subscription that is due by the time of the latest block, once each. One batch runs at a time, in whatever process; a call while one runs
 * finds nothing to do and says so (nothing processed). Refuses with `spender_not_configured`, `chain_unavailable` and `datastore_unavailable`.
 */
export async function chargeDueSubscriptions(deps: SpenderDeps, signal?: AbortSignal): Promise<BatchReport> {
  const startedAt = performance.now();
  const key = openSpenderKey(deps);
  const results = (await alone(deps, () => chargeAll(deps, key, signal))) ?? [];
  const succeeded = results.filter(({ success }) => success).length;
  return {
    processed: results.length,
    succeeded,
    failed: results.length - succeeded,
    durationMs: Math.round(performance.now() - startedAt),
    results,
  };
}

async function chargeAll(deps: SpenderDeps, key: SpenderKey, signal: AbortSignal | undefined): Promise<ChargeResult[]> {
  // What an earlier run has left under way is told first, so that it is not due any more.
  await follow(deps, key);
  const head = await readHead(deps.chain);
  const next = createDueScan(deps, head.timeMs, GROUP);
  const results: ChargeResult[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let told = 0;

  /** Pages are read one after another: each goes on where the last one ended. */
  const nextPage = (): Promise<DueSubscription[]> => {
    const page = turn.then(next);
    // Whoever asked for the page hears of its failure; the next only waits for its end.
    turn = page.catch(() => {});
    return page;
  };
  const lane = async () => {
    for (;;) {
      const page = signal?.aborted ? [] : await nextPage();
      if (page.length === 0) return;
      results.push(...(await chargeGroup(deps, key, page, signal)));
      if (results.length - told < TELL_EVERY) continue;
      told = results.length;
      deps.log.info({ processed: results.length }, 'charging');
    }
  };
  await Promise.all(Array.from({ length: GROUPS_AT_ONCE }, lane));
  if (results.length > 0) {
    const failed = results.filter(({ success }) => !success).length;
    deps.log.info({ processed: results.length, failed }, 'charged what was due');
  }
  return results;
}

/** A chain or a database that is away for one group must not take the others with it: the group is tried again, and then left for the next batch. */
async function chargeGroup(
  deps: SpenderDeps,
  key: SpenderKey,
  page: readonly DueSubscription[],
  signal: AbortSignal | undefined,
): Promise<ChargeResult[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await runCharges(deps, key, page, { signal });
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'failed';
      if (error instanceof Refusal && tries < TRIES && !signal?.aborted) {
        await setTimeout(PAUSE_MS * 2 ** tries);
        continue;
      }
      deps.log.error({ err: error, code }, 'a group of charges broke off; it is due still');
      return page.map(({ id }) => notCharged(id, { reason: code }));
    }
  }
}

/** Does the work in the one process that holds the lock, on a connection of its own; null where another one does. */
async function alone<T>({ settings, chain }: SpenderDeps, work: () => Promise<T>): Promise<T | null> {
  const client = new pg.Client({
    connectionString: settings.databaseUrl,
    connectionTimeoutMillis: 1_500,
    keepAlive: true,
    application_name: 'quittance charging',
  });
  client.on('error', () => {});
  try {
    return (await takesLock(client, `charging of chain ${chain.chainId}`)) ? await work() : null;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Connects, and says whether the lock of this name is now this connection's. */
async function takesLock(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
      [name],
    );
    return rows[0]?.taken === true;
  } catch (error) {
    throw isDatabaseAway(error) ? refuse('datastore_unavailable') : error;
  }
}
