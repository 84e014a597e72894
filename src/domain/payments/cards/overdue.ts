import type { Deps } from '../../../base/platform/deps.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { inTransaction, type UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { lockReceipt, recordChange } from '../../sales/receipts/record-change.ts';
import { moveSession } from './move-session.ts';
import type { OnrampSession } from './session.entity.ts';
import { lockSession } from './sessions.ts';

const BATCH = 100;

const DUE = query('onramp-deliveries-due', (db, $: { now: number }) =>
  db
    .selectFrom('OnrampSession')
    .select(['merchant', 'id', 'receiptId'])
    .where('deliveryDueAt', '<=', $.now)
    .orderBy('deliveryDueAt')
    .limit(BATCH),
);

/** The statuses of a paid receipt. A transfer alone is not enough: it may be unmatched or never confirmed. */
const PAID: readonly ReceiptStatus[] = ['paid', 'completed', 'refunded'];

/** How long a payment that was just seen may wait for its confirmations. */
const CONFIRMED_AFTER_MS = 10 * 60 * 1000;

export type OverdueDeps = Pick<Deps, 'orm' | 'sql' | 'bus' | 'clock' | 'log'>;

/**
 * Reports cards that were charged an hour ago without a delivery that paid the receipt: a warning in the log with
 * `alert: 'card_not_delivered'`, and the note `card_overdue` in the receipt's history, once per checkout. Returns the
 * number of reports. Called by a timer; safe to run in several workers.
 */
export async function reportOverdue(deps: OverdueDeps): Promise<number> {
  let reported = 0;
  for (;;) {
    const due = await deps.sql.run(DUE, { now: deps.clock() });
    for (const one of due) if (await reportIfOverdue(deps, one)) reported += 1;
    if (due.length < BATCH) return reported;
  }
}

function reportIfOverdue(deps: OverdueDeps, { merchant, id, receiptId }: RowOf<typeof DUE>): Promise<boolean> {
  return inTransaction(deps, async (uow) => {
    const receipt = await lockReceipt(uow, merchant, receiptId);
    const session = await lockSession(uow, merchant, id);
    if (!receipt || !session || (session.deliveryDueAt ?? Number.POSITIVE_INFINITY) > deps.clock()) return false;
    const confirmedBy = receipt.updatedAt + CONFIRMED_AFTER_MS;
    const isConfirming = receipt.status === 'tx_mined' && confirmedBy > deps.clock();
    await moveSession(uow, session, session.status, { deliveryDueAt: isConfirming ? confirmedBy : null });
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
        'card charged but receipt not paid by its delivery',
      ),
    );
    return true;
  });
}

/**
 * Whether the transaction that the provider reported has arrived; if it reported none, whether any transfer has arrived
 * since the checkout.
 */
async function hasArrived(uow: UnitOfWork, session: OnrampSession): Promise<boolean> {
  const { chainId, transactionHash, merchant, receiptId, createdAt } = session;
  const arrived = uow.db.selectFrom('Transfer').select('transactionHash').where('canonical', '=', true).limit(1);
  const found = transactionHash
    ? arrived.where((eb) => eb.and({ chainId, transactionHash }))
    : arrived.where((eb) => eb.and({ merchant, receiptId })).where('seenAt', '>=', createdAt);
  return (await found.execute()).length > 0;
}
