import { sql } from 'kysely';
import { readHead } from '../../../base/chain/blocks.ts';
import { readTransfersOf, watchlistOf } from '../../../base/chain/transfers.ts';
import type { Depth } from '../../../base/core/finality.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { TransferKey, TransferRow } from '../transfers/core/transfer-row.ts';
import { isCoinArrival, lookUpCoins } from './coins.ts';
import { createDepthCheck } from './confirmations.ts';

type CrossCheckDeps = Pick<Deps, 'db' | 'chain' | 'log'>;

/** The interval between checks of a transfer that waits for a second endpoint. */
const RETRY_MS = 5_000;
const ALARM_MS = 600_000;

/**
 * The larger of the transfer's value and its receipt's price, so that a large price cannot be split into small
 * transfers.
 */
const WORTH = query(
  'payments-cross-check-worth',
  (db, $: TransferKey) =>
    db
      .selectFrom('Transfer as t')
      .innerJoin('Receipt as r', (join) =>
        join.onRef('r.merchant', '=', 't.merchant').onRef('r.id', '=', 't.receiptId'),
      )
      .select(sql<number>`greatest(coalesce(t.usd::numeric, 0), r.total_cents / 100.0)::float8`.as('usd'))
      .where('t.chainId', '=', $.chainId)
      .where('t.blockHash', '=', $.blockHash)
      .where('t.transactionHash', '=', $.transactionHash)
      .where('t.logIndex', '=', $.logIndex),
  { computed: { usd: 'float8' } },
);

/** When transfers without a second confirming endpoint were first and last checked. */
const waitingOf = keptBy(
  'cross-checks of transfers',
  (_db: Db) => new Map<string, { sinceMs: number; triedMs: number; isReported: boolean }>(),
);

/**
 * Whether a transfer may be confirmed. If several endpoints are configured, a transfer for a receipt of more than
 * `CROSS_CHECK_USD` requires two of them to find the same transfer, in a successful transaction, in the same block, at
 * the depth that it needs. Returns false until they do; logs an alert once after ten minutes.
 */
export async function isCrossChecked(deps: CrossCheckDeps, transfer: TransferRow, depth: Depth): Promise<boolean> {
  const { db, chain, log } = deps;
  const { endpoints, crossCheckUsd } = chain;
  if (endpoints.length < 2 || transfer.receiptId === null) return true;
  const { blockHash, transactionHash, logIndex } = transfer;
  const [worth] = await db.run(WORTH, transfer);
  if (!worth || worth.usd <= crossCheckUsd) return true;

  const waiting = waitingOf(db);
  const key = `${blockHash}/${transactionHash}/${logIndex}`;
  const now = performance.now();
  const known = waiting.get(key) ?? { sinceMs: now, triedMs: Number.NEGATIVE_INFINITY, isReported: false };
  if (now - known.triedMs < RETRY_MS) return false;
  waiting.set(key, known);
  known.triedMs = now;
  const confirmed = await Promise.all(
    endpoints.map((endpoint) => findsTransfer({ ...deps, chain: endpoint }, transfer, depth).catch(() => false)),
  );
  if (confirmed.filter(Boolean).length >= 2) {
    waiting.delete(key);
    return true;
  }
  if (!known.isReported && now - known.sinceMs > ALARM_MS) {
    known.isReported = true;
    const { merchant, receiptId } = transfer;
    log.error(
      { alert: 'cross_check_missing', merchant, receiptId, transactionHash },
      'payment waits for a second RPC endpoint',
    );
  }
  return false;
}

/** Whether one endpoint has the transfer in its block, at this depth. Refuses with `chain_unavailable`. */
async function findsTransfer(deps: CrossCheckDeps, transfer: TransferRow, depth: Depth): Promise<boolean> {
  const { chain: endpoint } = deps;
  if (isCoinArrival(transfer)) {
    const { number } = await readHead(endpoint);
    const isDeep = await createDepthCheck(deps.chain, deps.log, Number(number))(transfer.blockNumber, depth);
    return isDeep && (await lookUpCoins(deps, transfer)) === 'there';
  }
  const { transactionHash, payTo } = transfer;
  const [head, reading] = await Promise.all([
    readHead(endpoint),
    readTransfersOf(endpoint, transactionHash, watchlistOf(new Set([payTo]))),
  ]);
  if (!(await createDepthCheck(deps.chain, deps.log, Number(head.number))(transfer.blockNumber, depth))) return false;
  return reading.transfers.some(
    ({ blockHash, logIndex, symbol, value }) =>
      blockHash === transfer.blockHash &&
      logIndex === transfer.logIndex &&
      symbol === transfer.token &&
      value === BigInt(transfer.amount),
  );
}
