import { sql } from 'kysely';
import { readTransfersOf, type TransactionReading } from '../../../base/chain/transfers.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { type Cursor, readMark } from '../../../base/onchain/blocks/cursor.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { walkQuery } from '../../../base/platform/sweep.ts';
import { addressesOf } from '../../sales/receipts/addresses.ts';
import { isWaiting } from '../../sales/receipts/lifecycle.ts';
import { readOnItsWay } from '../../sales/receipts/on-its-way.ts';
import { readEnded } from '../../sales/receipts/read-ended.ts';
import { lockReceipt } from '../../sales/receipts/record-change.ts';
import { type IntendedTransfer, judgeAttempt, readIntent } from '../transfers/core/intent.ts';
import { moveByChain } from '../transfers/credit.ts';
import { selectTransfers } from '../transfers/transfers.ts';
import { type MatchDeps, recordTransfer, rematchTransfer } from './match.ts';

/**
 * How long a transaction that is not found is checked. After that the watcher still finds its transfers like any other.
 */
const GIVE_UP_MS = 60 * 60 * 1000;
/**
 * The number of hints checked per scan, in total and per receipt, so that invented hints of one receipt do not delay
 * others.
 */
const AT_ONCE = 30;
const OF_A_RECEIPT = 2;
/** The number of due hints considered per scan. */
const DUE_MAX = 500;
/** A hint that is not on the chain yet is checked again after 2 s, 4 s, … up to 2 min. */
const BACKOFF_MIN_MS = 2_000;
const BACKOFF_MAX_MS = 120_000;

/**
 * Takes the due hints and sets their next check before they are followed: a hint that fails waits like any other.
 * Within a receipt, hints with a signature or a provider's backing come first, then those with the fewest checks.
 */
const TAKE_DUE = query('payments-take-due-hints', (db, $: { chainId: number; now: number }) =>
  db
    .with('due', (cte) =>
      cte
        .selectFrom('SubmittedTransaction as s')
        .select([
          's.merchant',
          's.receiptId as receipt',
          's.transactionHash as hash',
          's.nextLookAt as dueAt',
          's.looks',
        ])
        .select(({ or, eb }) =>
          or([eb('s.vouchedBy', 'is not', null), eb('s.signedBy', 'is not', null)]).as('isBacked'),
        )
        .where('s.chainId', '=', $.chainId)
        .where('s.closedAt', 'is', null)
        .where('s.nextLookAt', '<=', $.now)
        .orderBy('s.nextLookAt')
        .limit(DUE_MAX),
    )
    .with('fair', (cte) =>
      cte
        .selectFrom('due')
        .selectAll('due')
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((window) =>
              window
                .partitionBy(['due.merchant', 'due.receipt'])
                .orderBy('due.isBacked', 'desc')
                .orderBy('due.looks')
                .orderBy('due.dueAt'),
            )
            .as('place'),
        ),
    )
    .with('chosen', (cte) =>
      cte
        .selectFrom('fair')
        .selectAll('fair')
        .where('fair.place', '<=', OF_A_RECEIPT)
        .orderBy('fair.place')
        .orderBy('fair.dueAt')
        .limit(AT_ONCE),
    )
    .updateTable('SubmittedTransaction')
    .from('chosen')
    .set(({ eb, ref }) => ({
      looks: eb('SubmittedTransaction.looks', '+', 1),
      nextLookAt: sql<number>`${$.now}::bigint + least(${sql.lit(BACKOFF_MAX_MS)},
        ${sql.lit(BACKOFF_MIN_MS)} * power(2, least(${ref('SubmittedTransaction.looks')}, 16)))::bigint`,
    }))
    .whereRef('SubmittedTransaction.merchant', '=', 'chosen.merchant')
    .whereRef('SubmittedTransaction.receiptId', '=', 'chosen.receipt')
    .whereRef('SubmittedTransaction.transactionHash', '=', 'chosen.hash')
    .returning([
      'SubmittedTransaction.merchant',
      'SubmittedTransaction.receiptId',
      'SubmittedTransaction.transactionHash',
      'SubmittedTransaction.submittedAt',
      'chosen.looks',
    ]),
);

/** A hint with the number of its earlier checks. */
type Hint = RowOf<typeof TAKE_DUE>;

interface HintKey {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly transactionHash: `0x${string}`;
}

/** A hint in a block that the watcher has not read yet is checked again in the next scan. */
const LOOK_SOON = query('payments-look-soon', (db, $: HintKey & { looks: number }) =>
  db
    .updateTable('SubmittedTransaction')
    .set({ looks: $.looks, nextLookAt: 0 })
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.receiptId)
    .where('transactionHash', '=', $.transactionHash)
    .where('closedAt', 'is', null),
);

const CLOSE = query('payments-close-hint', (db, $: HintKey & { now: number }) =>
  db
    .updateTable('SubmittedTransaction')
    .set({ closedAt: $.now })
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.receiptId)
    .where('transactionHash', '=', $.transactionHash),
);

/**
 * Follows the hints of buyers: to transactions that the watcher did not see, could not match, or that were reverted.
 */
export async function followHints(deps: MatchDeps, cursor: Cursor): Promise<void> {
  const hints = await deps.db.run(TAKE_DUE, { chainId: deps.chain.chainId, now: deps.clock() });
  for (const hint of hints) {
    const found = await followHint(deps, cursor, hint);
    if (found === 'followed' || deps.clock() - hint.submittedAt > GIVE_UP_MS) {
      await deps.db.run(CLOSE, { ...hint, now: deps.clock() });
    } else if (found === 'ahead') await deps.db.run(LOOK_SOON, hint);
  }
}

/**
 * `followed`: the outcome is known. `ahead`: in a block that the watcher has not read yet. `absent`: not on the chain.
 */
async function followHint(deps: MatchDeps, cursor: Cursor, hint: Hint): Promise<'followed' | 'ahead' | 'absent'> {
  const reading = await readTransfersOf(deps.chain, hint.transactionHash, deps.watched);
  if (reading.blockNumber === null) return 'absent';
  if (reading.blockNumber > BigInt(cursor.scanned)) return 'ahead';
  // A block that was replaced since is for the next scan: it takes back what the old one paid before it reads the new
  // one. In the wrong order, the same payment would be stored in both blocks.
  const mark = await readMark(deps, Number(reading.blockNumber));
  if (mark && mark.hash !== reading.blockHash) return 'ahead';
  if (reading.status === 'success') {
    for (const transfer of reading.transfers) await recordTransfer(deps, transfer);
    const unmatched = await deps.db.run(UNMATCHED, { ...hint, chainId: deps.chain.chainId });
    for (const transfer of unmatched) await rematchTransfer(deps, transfer);
  }
  const intent = readIntent(reading.to, reading.input, reading.value);
  if (intent) await followIntent(deps, hint, reading, intent);
  return 'followed';
}

const UNMATCHED = query('payments-unmatched-of-hint', (db, $: HintKey & { chainId: number }) =>
  selectTransfers(db)
    .where('chainId', '=', $.chainId)
    .where('transactionHash', '=', $.transactionHash)
    .where('merchant', '=', $.merchant)
    .where('unmatchedReason', 'in', ['unknown_amount', 'other_network', 'other_token'])
    .orderBy('logIndex'),
);

/** Handles a transaction that was meant to pay the receipt and did not; see `judgeAttempt`. */
async function followIntent(
  deps: MatchDeps,
  { merchant, receiptId, transactionHash }: Hint,
  { status: outcome, blockNumber }: TransactionReading,
  intent: IntendedTransfer,
): Promise<void> {
  const { tokens } = deps.chain;
  await deps.db.transaction(async (uow) => {
    const receipt = await lockReceipt(uow, merchant, receiptId);
    if (!receipt || !isWaiting(receipt) || (await readEnded(uow, receipt, deps.clock()))) return;
    const addresses = (await addressesOf(uow, receipt)).map(({ address }) => address);
    const decision = judgeAttempt({ receipt, outcome, intent, addresses, tokens });
    const detail = { transactionHash, blockNumber: Number(blockNumber) };
    // The transaction itself was submitted. Other payments may still succeed.
    const others = (await readOnItsWay(deps, uow, receipt)).filter((kind) => kind !== 'transaction');
    if (decision?.to === 'failed' && others.length > 0) return;
    if (decision?.to === 'failed')
      await moveByChain(deps, uow, receipt, 'failed', detail, { failureCode: decision.failureCode });
    else if (decision) await moveByChain(deps, uow, receipt, decision.to, { ...detail, reason: decision.reason });
  });
}

/** Deletes the submitted transactions whose outcome was known, or whose checks ended, before a time. */
export const DELETE_HINTS = walkQuery('submitted-transactions-delete', {
  table: 'submitted_transactions',
  key: ['merchant', 'receipt_id', 'transaction_hash'],
  isDue: (before) => sql`t.closed_at < ${before}`,
});
