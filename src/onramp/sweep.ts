import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { failPayment } from '../receipts/fail.ts';
import { lockReceipt } from '../receipts/record-change.ts';
import { isOpen, lockSession, recordedCheckoutOf } from './sessions.ts';
import { isLatest } from './take-event.ts';

const BATCH = 100;

const DUE = statement(
  'onramp-sessions-due',
  `select merchant, id, receipt_id as "receiptId" from onramp_sessions
    where status in ('initialized', 'requires_payment') and expires_at <= $1
    order by expires_at limit ${BATCH}`,
);

interface Due {
  readonly merchant: Wallet;
  readonly id: string;
  readonly receiptId: string;
}

export type SweepDeps = Pick<Deps, 'orm' | 'sql' | 'boss' | 'bus' | 'clock'>;

/**
 * Ends the card checkouts that the buyer left: untouched ones are abandoned, started ones expire. If a checkout is the
 * receipt's latest attempt, the receipt fails, unless money has arrived. Returns the number of ended checkouts. Called
 * by a timer; safe to run in several workers.
 */
export async function sweepSessions(deps: SweepDeps): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await deps.sql.rows<Due>(DUE, [deps.clock()]);
    for (const one of due) if (await endSession(deps, one)) ended += 1;
    if (due.length < BATCH) return ended;
  }
}

function endSession(deps: SweepDeps, { merchant, id, receiptId }: Due): Promise<boolean> {
  return inTransaction(deps, async (uow) => {
    const receipt = await lockReceipt(uow, merchant, receiptId);
    const session = await lockSession(uow, merchant, id);
    const now = deps.clock();
    if (!receipt || !session || !isOpen(session) || session.expiresAt > now) return false;
    const untouched = session.status === 'initialized';
    const code = untouched ? 'PORTAL_SESSION_ABANDONED' : 'PORTAL_SESSION_EXPIRED';
    Object.assign(session, { status: untouched ? 'abandoned' : 'expired', failureCode: code, updatedAt: now });
    if (isLatest(receipt, session)) {
      const detail = { onrampSessionId: session.providerSessionId };
      await failPayment(deps, uow, receipt, code, { actor: 'timer', detail, checkout: recordedCheckoutOf(session) });
    }
    await uow.em.flush();
    return true;
  });
}
