import { sql } from 'kysely';
import type { Chain } from '../../../base/chain/client.ts';
import { depthFor } from '../../../base/core/finality.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { resetConfirmations } from '../transfers/transfers.ts';
import { worthCents } from '../transfers/worth.ts';
import { neededFor } from './confirmations.ts';

type StuckDeps = Pick<Deps, 'db' | 'bus' | 'chain' | 'clock' | 'log'>;

/** The assumed block time until the watcher has read two blocks. */
const BLOCK_TIME_DEFAULT_MS = 12_000;
/** The minimum time before an alert on chains with fast blocks, because the watcher itself polls every few seconds. */
const LIMIT_MIN_MS = 120_000;
/** The multiple of the expected confirmation time after which a receipt is stuck. */
const PATIENCE = 3;

const BLOCK_TIME = query(
  'payments-block-time',
  (db, $: { chainId: number }) =>
    db
      .selectFrom('ChainBlock')
      .select(sql<number | null>`(max(time_ms) - min(time_ms))::float8 / nullif(max(number) - min(number), 0)`.as('ms'))
      .where('chainId', '=', $.chainId),
  { computed: { ms: 'float8' } },
);

/**
 * How long a receipt of an amount in US cents may stay `tx_mined`, in ms: three times the expected confirmation time of
 * its amount, at the observed block time.
 */
export async function stuckAfterMs(db: Db, chain: Chain): Promise<(worthCents: number) => number> {
  const [row] = await db.run(BLOCK_TIME, { chainId: chain.chainId });
  const blockTimeMs = row?.ms ?? BLOCK_TIME_DEFAULT_MS;
  return (worthCents) => {
    const { confirmationsNeeded } = neededFor(chain, depthFor(chain.finality, worthCents));
    // The average of block times is seldom whole.
    return Math.ceil(Math.max(LIMIT_MIN_MS, PATIENCE * Math.max(1, confirmationsNeeded) * blockTimeMs));
  };
}

/** Reads only unconfirmed transfers, which are few, and of them only those that are old enough. */
const STUCK = query(
  'payments-stuck',
  (db, $: { chainId: number; before: number }) =>
    db
      .selectFrom('Transfer as t')
      .innerJoin('Receipt as r', (join) =>
        join.onRef('r.merchant', '=', 't.merchant').onRef('r.id', '=', 't.receiptId').on('r.status', '=', 'tx_mined'),
      )
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('HistoryRow')
            .select(({ fn }) => fn.max<number>('at').as('since'))
            .whereRef('HistoryRow.merchant', '=', 'r.merchant')
            .whereRef('HistoryRow.receiptId', '=', 'r.id')
            .where('HistoryRow.kind', '=', 'status')
            .where('HistoryRow.status', '=', 'tx_mined')
            .as('mined'),
        (join) => join.onTrue(),
      )
      .select((eb) => [
        'r.merchant',
        'r.id as receiptId',
        'mined.since',
        sql<number>`max(${worthCents(eb.ref('r.totalCents'), eb.ref('t.usd'))})`.as('worthCents'),
      ])
      .groupBy(['r.merchant', 'r.id', 'mined.since'])
      .where('t.chainId', '=', $.chainId)
      .where('t.canonical', '=', true)
      .where('t.confirmedAt', 'is', null)
      .where('t.receiptId', 'is not', null)
      .where('t.seenAt', '<=', $.before)
      .where('mined.since', '<=', $.before)
      .limit(1000),
  { computed: { since: 'int8', worthCents: 'int8' } },
);

/** The receipts with a raised alert, so that each process reports a receipt once. */
export type Reported = Set<string>;

/**
 * Logs `alert: 'receipt_stuck'` once for each receipt that stays `tx_mined` longer than three times its expected
 * confirmation time. Returns the number of alerts.
 */
export async function reportStuck(deps: StuckDeps, reported: Reported): Promise<number> {
  const limitMs = await stuckAfterMs(deps.db, deps.chain);
  const now = deps.clock();
  const waiting = await deps.db.run(STUCK, { chainId: deps.chain.chainId, before: now - limitMs(0) });
  const stuck = waiting.filter(({ since, worthCents }) => since <= now - limitMs(worthCents));
  const keys = new Set(stuck.map(({ merchant, receiptId }) => `${merchant}/${receiptId}`));
  for (const key of reported) if (!keys.has(key)) reported.delete(key);
  let raised = 0;
  for (const { merchant, receiptId, since } of stuck) {
    const key = `${merchant}/${receiptId}`;
    if (reported.has(key)) continue;
    reported.add(key);
    raised += 1;
    deps.log.error(
      { alert: 'receipt_stuck', merchant, receiptId, chainId: deps.chain.chainId, minedForMs: now - since },
      'payment not confirmed in time',
    );
  }
  return raised;
}

/** The number of receipts read per statement of the repair. */
const REPAIR_BATCH = 5_000;

/** A batch of receipts in key order, with those that are `tx_mined` although all their transfers are confirmed. */
const UNCONFIRMABLE = query(
  'payments-unconfirmable',
  (db, $: { merchant: string; id: string; chainId: number }) =>
    db
      .with('batch', (cte) =>
        cte
          .selectFrom('Receipt')
          .select(['merchant', 'id', 'status'])
          .where(sql<boolean>`(merchant, id) > (${$.merchant}, ${$.id})`)
          .orderBy('merchant')
          .orderBy('id')
          .limit(REPAIR_BATCH),
      )
      .selectFrom('batch as b')
      .select(['b.merchant', 'b.id', ({ lit }) => lit(true).$castTo<boolean>().as('stuck')])
      .where('b.status', '=', 'tx_mined')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('Transfer as t')
            .select('t.logIndex')
            .whereRef('t.merchant', '=', 'b.merchant')
            .whereRef('t.receiptId', '=', 'b.id')
            .where('t.canonical', '=', true)
            .where('t.chainId', '=', $.chainId),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('Transfer as t')
              .select('t.logIndex')
              .whereRef('t.merchant', '=', 'b.merchant')
              .whereRef('t.receiptId', '=', 'b.id')
              .where('t.canonical', '=', true)
              .where('t.confirmedAt', 'is', null),
          ),
        ),
      )
      .unionAll(({ parens, selectFrom }) =>
        parens(
          selectFrom('batch as last')
            .select(['last.merchant', 'last.id', ({ lit }) => lit(false).$castTo<boolean>().as('stuck')])
            .orderBy('last.merchant', 'desc')
            .orderBy('last.id', 'desc')
            .limit(1),
        ),
      ),
  { computed: { merchant: 'text', id: 'text', stuck: 'bool' } },
);

/**
 * Repairs receipts that are `tx_mined` although all their transfers are confirmed, which nothing would process again.
 * Resets their confirmations and wakes the watcher, which then decides whether they are paid. Reads all receipts in
 * batches in key order, so that no statement is slow. Returns the number of repaired receipts.
 */
export async function repairStuck(deps: StuckDeps, signal?: AbortSignal): Promise<number> {
  let repaired = 0;
  let after = { merchant: '', id: '' };
  while (!signal?.aborted) {
    const rows = await deps.db.run(UNCONFIRMABLE, { ...after, chainId: deps.chain.chainId });
    const last = rows.find(({ stuck }) => !stuck);
    for (const receipt of rows.filter(({ stuck }) => stuck)) {
      await deps.db.transaction((uow) => resetConfirmations(uow, receipt));
      deps.log.warn(
        { merchant: receipt.merchant, receiptId: receipt.id },
        'receipt was tx_mined with all payments confirmed: confirming them again',
      );
      repaired += 1;
    }
    if (!last) break;
    after = { merchant: last.merchant, id: last.id };
  }
  if (repaired > 0) deps.bus.publish(HINT_CHANNEL, 'repair');
  return repaired;
}
