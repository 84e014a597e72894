import { readTransfersOf, type TransactionReading } from '../chain/transfers.ts';
import type { Wallet } from '../core/wallet.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { isWaiting } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt } from '../receipts/record-change.ts';
import { type IntendedTransfer, readIntent } from './calldata.ts';
import { moveByChain } from './credit.ts';
import type { Cursor } from './cursor.ts';
import { type MatchDeps, rematchTransfer, takeTransfer } from './match.ts';
import { TRANSFER_COLUMNS, type TransferRow } from './transfers.ts';

interface Hint {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly transactionHash: `0x${string}`;
  readonly submittedAt: number;
}

/** A transaction that is nowhere after an hour is given up; if it comes after all, the watcher finds it as it finds any other. */
const GIVE_UP_MS = 60 * 60 * 1000;
const AT_ONCE = 50;

const OPEN = statement(
  'payments-open-hints',
  `select merchant, receipt_id as "receiptId", transaction_hash as "transactionHash", submitted_at as "submittedAt"
     from submitted_transactions where chain_id = $1 and closed_at is null order by submitted_at desc limit ${AT_ONCE}`,
);

const CLOSE = statement(
  'payments-close-hint',
  'update submitted_transactions set closed_at = $4 where merchant = $1 and receipt_id = $2 and transaction_hash = $3',
);

/** Looks where buyers' sides have pointed: at transactions that the watcher did not see, could not place, or that were reverted. */
export async function followHints(deps: MatchDeps, cursor: Cursor): Promise<void> {
  const hints = await deps.sql.rows<Hint>(OPEN, [deps.chain.chainId]);
  for (const hint of hints) {
    const over = (await followHint(deps, cursor, hint)) || deps.clock() - hint.submittedAt > GIVE_UP_MS;
    if (over) await deps.sql.rows(CLOSE, [hint.merchant, hint.receiptId, hint.transactionHash, deps.clock()]);
  }
}

/** True where the chain has said all there is to say. */
async function followHint(deps: MatchDeps, cursor: Cursor, hint: Hint): Promise<boolean> {
  const reading = await readTransfersOf(deps.chain, hint.transactionHash, deps.watched.addresses());
  if (reading.blockNumber === null || reading.blockNumber > BigInt(cursor.scanned)) return false;
  if (reading.status === 'success') {
    for (const transfer of reading.transfers) await takeTransfer(deps, transfer);
    for (const transfer of await findUnmatched(deps, hint)) await rematchTransfer(deps, transfer);
  }
  const intent = readIntent(reading.to, reading.input, reading.value);
  if (intent) await judgeIntent(deps, hint, reading, intent);
  return true;
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
 * A transaction that meant to pay the receipt and did not: reverted, it fails the receipt; in another token or to another address it is a mismatch. What
 * it meant stands in its calldata and must equal a quote of this very receipt; a receipt that no longer waits for money is left alone.
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
