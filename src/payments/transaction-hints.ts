import type { Cursor } from '../blocks/cursor.ts';
import { readTransfersOf, type TransactionReading } from '../chain/transfers.ts';
import type { Wallet } from '../core/wallet.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { isWaiting } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt } from '../receipts/record-change.ts';
import { type IntendedTransfer, readIntent } from './calldata.ts';
import { moveByChain } from './credit.ts';
import { type MatchDeps, recordTransfer, rematchTransfer } from './match.ts';
import { TRANSFER_COLUMNS, type TransferRow } from './transfers.ts';

interface Hint {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly transactionHash: `0x${string}`;
  readonly submittedAt: number;
  /** The number of earlier checks. */
  readonly looks: number;
}

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
const TAKE_DUE = statement(
  'payments-take-due-hints',
  `with due as (
     select merchant, receipt_id, transaction_hash, next_look_at, looks, (vouched_by is not null or signed_by is not null) as backed
       from submitted_transactions where chain_id = $1 and closed_at is null and next_look_at <= $2
      order by next_look_at limit ${DUE_MAX}
   ), fair as (
     select due.*, row_number() over (partition by merchant, receipt_id order by backed desc, looks, next_look_at) as place from due
   ), chosen as (
     select * from fair where place <= ${OF_A_RECEIPT} order by place, next_look_at limit ${AT_ONCE}
   )
   update submitted_transactions s
      set looks = s.looks + 1, next_look_at = $2 + least(${BACKOFF_MAX_MS}, ${BACKOFF_MIN_MS} * power(2, least(s.looks, 16)))::bigint
     from chosen c
    where s.merchant = c.merchant and s.receipt_id = c.receipt_id and s.transaction_hash = c.transaction_hash
   returning s.merchant, s.receipt_id as "receiptId", s.transaction_hash as "transactionHash", s.submitted_at as "submittedAt", c.looks`,
);

/** A hint in a block that the watcher has not read yet is checked again in the next scan. */
const LOOK_SOON = statement(
  'payments-look-soon',
  `update submitted_transactions set looks = $4, next_look_at = 0
    where merchant = $1 and receipt_id = $2 and transaction_hash = $3 and closed_at is null`,
);

const CLOSE = statement(
  'payments-close-hint',
  'update submitted_transactions set closed_at = $4 where merchant = $1 and receipt_id = $2 and transaction_hash = $3',
);

/**
 * Follows the hints of buyers: to transactions that the watcher did not see, could not match, or that were reverted.
 */
export async function followHints(deps: MatchDeps, cursor: Cursor): Promise<void> {
  const hints = await deps.sql.rows<Hint>(TAKE_DUE, [deps.chain.chainId, deps.clock()]);
  for (const hint of hints) {
    const key = [hint.merchant, hint.receiptId, hint.transactionHash];
    const found = await followHint(deps, cursor, hint);
    if (found === 'followed' || deps.clock() - hint.submittedAt > GIVE_UP_MS) {
      await deps.sql.rows(CLOSE, [...key, deps.clock()]);
    } else if (found === 'ahead') await deps.sql.rows(LOOK_SOON, [...key, hint.looks]);
  }
}

/**
 * `followed`: the outcome is known. `ahead`: in a block that the watcher has not read yet. `absent`: not on the chain.
 */
async function followHint(deps: MatchDeps, cursor: Cursor, hint: Hint): Promise<'followed' | 'ahead' | 'absent'> {
  const reading = await readTransfersOf(deps.chain, hint.transactionHash, deps.watched.addresses());
  if (reading.blockNumber === null) return 'absent';
  if (reading.blockNumber > BigInt(cursor.scanned)) return 'ahead';
  if (reading.status === 'success') {
    for (const transfer of reading.transfers) await recordTransfer(deps, transfer);
    for (const transfer of await findUnmatched(deps, hint)) await rematchTransfer(deps, transfer);
  }
  const intent = readIntent(reading.to, reading.input, reading.value);
  if (intent) await judgeIntent(deps, hint, reading, intent);
  return 'followed';
}

function findUnmatched(deps: MatchDeps, hint: Hint): Promise<TransferRow[]> {
  return inTransaction(deps, (uow) =>
    uow.sql<TransferRow>(
      `select ${TRANSFER_COLUMNS} from transfers t
        where t.chain_id = $1 and t.transaction_hash = $2 and t.canonical and t.merchant = $3 and t.unmatched_reason = 'unknown_amount'
        order by t.log_index`,
      [deps.chain.chainId, hint.transactionHash, hint.merchant],
    ),
  );
}

/**
 * Handles a transaction that was meant to pay the receipt and did not. A reverted one fails the receipt; one in another
 * token or to another address is a mismatch. The intent is decoded from the calldata and must equal a quote of this
 * receipt. A receipt that does not wait for money is left unchanged.
 */
async function judgeIntent(
  deps: MatchDeps,
  hint: Hint,
  reading: TransactionReading,
  intent: IntendedTransfer,
): Promise<void> {
  await inTransaction(deps, async (uow) => {
    const receipt = await lockReceipt(uow, hint.merchant, hint.receiptId);
    if (!receipt || !isWaiting(receipt)) return;
    const meant = await meantFor(deps, uow, receipt, intent);
    const detail = { transactionHash: hint.transactionHash, blockNumber: Number(reading.blockNumber) };
    if (reading.status === 'reverted' && meant === 'payment' && receipt.status !== 'tx_mismatch') {
      await moveByChain(deps, uow, receipt, 'failed', detail, 'PORTAL_CHAIN_TX_REVERTED');
    } else if (reading.status === 'success' && (meant === 'wrong_token' || meant === 'wrong_recipient')) {
      await moveByChain(deps, uow, receipt, 'tx_mismatch', { ...detail, reason: meant });
    }
  });
}

type Meaning = 'payment' | 'wrong_token' | 'wrong_recipient' | null;

async function meantFor(
  deps: MatchDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  intent: IntendedTransfer,
): Promise<Meaning> {
  const quotes = await uow.sql<{ token: string; payTo: Wallet }>(
    `select token, pay_to as "payTo" from quotes where merchant = $1 and receipt_id = $2 and chain_id = $3 and amount = $4::numeric`,
    [receipt.merchant, receipt.id, deps.chain.chainId, intent.value],
  );
  for (const { token, payTo } of quotes) {
    const rightToken = deps.chain.tokens.find(({ symbol }) => symbol === token)?.address === intent.contract;
    if (rightToken) return payTo === intent.to ? 'payment' : 'wrong_recipient';
    if (payTo === intent.to) return 'wrong_token';
  }
  return null;
}
