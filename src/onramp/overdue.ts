import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import type { ReceiptStatus } from '../receipts/lifecycle.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import type { OnrampSession } from './session.entity.ts';
import { lockSession } from './sessions.ts';

const BATCH = 100;

const DUE = statement(
  'onramp-deliveries-due',
  `select merchant, id, receipt_id as "receiptId" from onramp_sessions
    where delivery_due_at <= $1 order by delivery_due_at limit ${BATCH}`,
);

interface Due {
  readonly merchant: Wallet;
  readonly id: string;
  readonly receiptId: string;
}

/** The status of a receipt says whether money has paid it; a transfer that is there may be unmatched, or never confirmed. */
const PAID: readonly ReceiptStatus[] = ['paid', 'completed', 'refunded'];

/** A payment that was just seen has so long to be confirmed. */
const CONFIRMED_AFTER_MS = 10 * 60 * 1000;

export type OverdueDeps = Pick<Deps, 'orm' | 'sql' | 'boss' | 'bus' | 'clock' | 'log'>;

/**
 * Reports cards that were charged an hour ago while their delivery has not arrived, or has arrived and not paid the receipt: a warning in the log with
 * `alert: 'card_not_delivered'`, and the note `card_overdue` in the receipt's history, once for each checkout. Answers how many. For a worker's timer; any
 * number of workers may do it.
 */
export async function reportOverdue(deps: OverdueDeps): Promise<number> {
  let told = 0;
  for (;;) {
    const due = await deps.sql.rows<Due>(DUE, [deps.clock()]);
    for (const one of due) if (await lookAfter(deps, one)) told += 1;
    if (due.length < BATCH) return told;
  }
}

function lookAfter(deps: OverdueDeps, { merchant, id, receiptId }: Due): Promise<boolean> {
  return inTransaction(deps, async (uow) => {
    const receipt = await lockReceipt(uow, merchant, receiptId);
    const session = await lockSession(uow, merchant, id);
    if (!receipt || !session || (session.deliveryDueAt ?? Number.POSITIVE_INFINITY) > deps.clock()) return false;
    const confirmedBy = receipt.updatedAt + CONFIRMED_AFTER_MS;
    const isConfirming = receipt.status === 'tx_mined' && confirmedBy > deps.clock();
    session.deliveryDueAt = isConfirming ? confirmedBy : null;
    await uow.em.flush();
    if (isConfirming || (PAID.includes(receipt.status) && (await hasArrived(uow, session)))) return false;
    const { provider, providerSessionId: onrampSessionId, status, transactionHash } = session;
    const detail = { onrampSessionId, transactionHash };
    const { status: receiptStatus } = receipt;
    await recordChange(deps, uow, receipt, { kind: 'note', name: 'card_overdue' }, { actor: 'timer', detail });
    uow.afterCommit(() =>
      deps.log.warn(
        {
          alert: 'card_not_delivered',
          provider,
          merchant,
          receiptId,
          receiptStatus,
          onrampSessionId,
          status,
          transactionHash,
        },
        'a card was charged an hour ago, and its delivery has not paid the receipt',
      ),
    );
    return true;
  });
}

/** Whether the transaction that the provider named is there; where it has named none, whether anything has come since. */
async function hasArrived(uow: UnitOfWork, session: OnrampSession): Promise<boolean> {
  const { chainId, transactionHash, merchant, receiptId, createdAt } = session;
  const found = transactionHash
    ? await uow.sql('select 1 from transfers where chain_id = $1 and transaction_hash = $2 and canonical limit 1', [
        chainId,
        transactionHash,
      ])
    : await uow.sql(
        'select 1 from transfers where merchant = $1 and receipt_id = $2 and canonical and seen_at >= $3 limit 1',
        [merchant, receiptId, createdAt],
      );
  return found.length > 0;
}
