import type { Deps } from '../../../base/platform/deps.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type DuePlace, workOnDue } from '../../../base/platform/work-on-due.ts';
import { failPayment } from '../../sales/receipts/fail.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { lockReceipt, recordChange } from '../../sales/receipts/record-change.ts';
import { isOpen, OPEN } from './lifecycle.ts';
import type { OnrampSession } from './session.entity.ts';
import { lockSession, moveSession, recordedCheckoutOf } from './sessions.ts';
import { isLatest } from './take-event.ts';

/** The sessions that are read at once. */
const BATCH = 100;

const FAILED = 'due card checkout failed';

const CHECKOUTS_DUE = query('onramp-sessions-due', (db, $: DuePlace & { now: number }) =>
  db
    .selectFrom('OnrampSession')
    .select(['merchant', 'id', 'receiptId', 'expiresAt as dueAt'])
    .where('status', 'in', OPEN)
    .where('expiresAt', '<=', $.now)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('expiresAt', 'merchant', 'id'), '>', tuple($.dueAt, $.merchant, $.id)),
    )
    .orderBy('expiresAt')
    .orderBy('merchant')
    .orderBy('id')
    .limit(BATCH),
);

export type SweepDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'log' | 'moneyOnItsWay'>;

type DueSession = RowOf<typeof CHECKOUTS_DUE>;

/**
 * Ends the card checkouts that the buyer left: untouched ones are abandoned, started ones expire. If a checkout is the
 * receipt's latest attempt, the receipt fails, unless money has arrived or is on its way. Returns the number of ended
 * checkouts. Called by a timer; safe to run in several workers.
 */
export function sweepSessions(deps: SweepDeps): Promise<number> {
  const read = (after: DuePlace) => deps.db.run(CHECKOUTS_DUE, { ...after, now: deps.clock() });
  return workOnDue(deps, FAILED, { batch: BATCH, read }, (session) => endSession(deps, session));
}

function endSession(deps: SweepDeps, { merchant, id, receiptId }: DueSession): Promise<boolean> {
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceipt(uow, merchant, receiptId);
    const session = await lockSession(uow, merchant, id);
    const now = deps.clock();
    if (!receipt || !session || !isOpen(session) || session.expiresAt > now) return false;
    const untouched = session.status === 'initialized';
    const code = untouched ? 'PORTAL_SESSION_ABANDONED' : 'PORTAL_SESSION_EXPIRED';
    await moveSession(uow, session, untouched ? 'abandoned' : 'expired', { failureCode: code, updatedAt: now });
    if (isLatest(receipt, session)) {
      const detail = { onrampSessionId: session.providerSessionId };
      await failPayment(deps, uow, receipt, code, { actor: 'timer', detail, checkout: recordedCheckoutOf(session) });
    }
    return true;
  });
}

const DELIVERIES_DUE = query('onramp-deliveries-due', (db, $: DuePlace & { now: number }) =>
  db
    .selectFrom('OnrampSession')
    .select(['merchant', 'id', 'receiptId', 'deliveryDueAt as dueAt'])
    .where('deliveryDueAt', '<=', $.now)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('deliveryDueAt', 'merchant', 'id'), '>', tuple($.dueAt, $.merchant, $.id)),
    )
    .orderBy('deliveryDueAt')
    .orderBy('merchant')
    .orderBy('id')
    .limit(BATCH)
    .$narrowType<{ dueAt: number }>(),
);

/** The statuses of a paid receipt. A transfer alone is not enough: it may be unmatched or never confirmed. */
const PAID: readonly ReceiptStatus[] = ['paid', 'completed', 'refunded'];

/** How long a payment that was just seen may wait for its confirmations. */
const CONFIRMED_AFTER_MS = 10 * 60 * 1000;

export type OverdueDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'log'>;

/**
 * Reports cards that were charged an hour ago without a delivery that paid the receipt: a warning in the log with
 * `alert: 'card_not_delivered'`, and the note `card_overdue` in the receipt's history, once per checkout. Returns the
 * number of reports. Called by a timer; safe to run in several workers.
 */
export function reportOverdue(deps: OverdueDeps): Promise<number> {
  const read = (after: DuePlace) => deps.db.run(DELIVERIES_DUE, { ...after, now: deps.clock() });
  return workOnDue(deps, FAILED, { batch: BATCH, read }, (session) => reportIfOverdue(deps, session));
}

function reportIfOverdue(deps: OverdueDeps, { merchant, id, receiptId }: DueSession): Promise<boolean> {
  return deps.db.transaction(async (uow) => {
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
