import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { HINT_CHANNEL } from '../platform/wake.ts';
import { resetConfirmations } from './transfers.ts';

type StuckDeps = Pick<Deps, 'orm' | 'sql' | 'bus' | 'chain' | 'clock' | 'log'>;

/** A receipt that waits for the confirmations of its payment. */
interface Waiting {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** When it became `tx_mined`, epoch ms. */
  readonly since: number;
}

/** The assumed block time until the watcher has read two blocks. */
const BLOCK_TIME_DEFAULT_MS = 12_000;
/** The minimum time before an alert on chains with fast blocks, because the watcher itself polls every few seconds. */
const LIMIT_MIN_MS = 120_000;
/** The multiple of the expected confirmation time after which a receipt is stuck. */
const PATIENCE = 3;

const BLOCK_TIME = statement(
  'payments-block-time',
  `select (max(time_ms) - min(time_ms))::float8 / nullif(max(number) - min(number), 0) as ms
     from chain_blocks where chain_id = $1`,
);

/**
 * How long a receipt may stay `tx_mined`, in ms: three times the expected confirmation time at the observed block time.
 */
export async function stuckAfterMs({ sql, chain }: Pick<Deps, 'sql' | 'chain'>): Promise<number> {
  const [row] = await sql.rows<{ ms: number | null }>(BLOCK_TIME, [chain.chainId]);
  const blockTimeMs = row?.ms ?? BLOCK_TIME_DEFAULT_MS;
  return Math.max(LIMIT_MIN_MS, PATIENCE * Math.max(1, chain.confirmations) * blockTimeMs);
}

/** Reads only unconfirmed transfers, which are few, and of them only those that are old enough. */
const STUCK = statement(
  'payments-stuck',
  `select distinct r.merchant, r.id as "receiptId", h.at as since
     from transfers t
     join receipts r on r.merchant = t.merchant and r.id = t.receipt_id and r.status = 'tx_mined'
    cross join lateral (select max(at) as at from receipt_history
                         where merchant = r.merchant and receipt_id = r.id and kind = 'status' and status = 'tx_mined') h
    where t.chain_id = $1 and t.canonical and t.confirmed_at is null and t.receipt_id is not null and t.seen_at <= $2 and h.at <= $2
    limit 1000`,
);

/** The receipts with a raised alert, so that each process reports a receipt once. */
export type Reported = Set<string>;

/**
 * Logs `alert: 'receipt_stuck'` once for each receipt that stays `tx_mined` longer than three times its expected
 * confirmation time. Returns the number of alerts.
 */
export async function reportStuck(deps: StuckDeps, reported: Reported): Promise<number> {
  const limitMs = await stuckAfterMs(deps);
  const now = deps.clock();
  const stuck = await deps.sql.rows<Waiting>(STUCK, [deps.chain.chainId, now - limitMs]);
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
const UNCONFIRMABLE = statement(
  'payments-unconfirmable',
  `with batch as (
     select merchant, id, status from receipts where (merchant, id) > ($1, $2) order by merchant, id limit ${REPAIR_BATCH}
   )
   select b.merchant, b.id, true as stuck from batch b
    where b.status = 'tx_mined'
      and exists (select 1 from transfers t where t.merchant = b.merchant and t.receipt_id = b.id and t.canonical and t.chain_id = $3)
      and not exists (select 1 from transfers t where t.merchant = b.merchant and t.receipt_id = b.id and t.canonical and t.confirmed_at is null)
   union all
   (select merchant, id, false from batch order by merchant desc, id desc limit 1)`,
);

/**
 * Repairs receipts that are `tx_mined` although all their transfers are confirmed, which nothing would process again.
 * Resets their confirmations and wakes the watcher, which then decides whether they are paid. Reads all receipts in
 * batches in key order, so that no statement is slow. Returns the number of repaired receipts.
 */
export async function repairStuck(deps: StuckDeps, signal?: AbortSignal): Promise<number> {
  let repaired = 0;
  let after: { readonly merchant: string; readonly id: string } = { merchant: '', id: '' };
  while (!signal?.aborted) {
    const rows = await deps.sql.rows<{ merchant: Wallet; id: string; stuck: boolean }>(UNCONFIRMABLE, [
      after.merchant,
      after.id,
      deps.chain.chainId,
    ]);
    const last = rows.find(({ stuck }) => !stuck);
    for (const receipt of rows.filter(({ stuck }) => stuck)) {
      await inTransaction(deps, (uow) => resetConfirmations(uow, receipt));
      deps.log.warn(
        { merchant: receipt.merchant, receiptId: receipt.id },
        'receipt was tx_mined with all payments confirmed: confirming them again',
      );
      repaired += 1;
    }
    if (!last) break;
    after = last;
  }
  if (repaired > 0) deps.bus.publish(HINT_CHANNEL, 'repair');
  return repaired;
}
