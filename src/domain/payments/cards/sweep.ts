import type { Deps } from '../../../base/platform/deps.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { inTransaction } from '../../../base/platform/unit-of-work.ts';
import { failPayment } from '../../sales/receipts/fail.ts';
import { lockReceipt } from '../../sales/receipts/record-change.ts';
import { isOpen, OPEN } from './lifecycle.ts';
import { moveSession } from './move-session.ts';
import { lockSession, recordedCheckoutOf } from './sessions.ts';
import { isLatest } from './take-event.ts';

const BATCH = 100;

const DUE = query('onramp-sessions-due', (db, $: { now: number }) =>
  db
    .selectFrom('OnrampSession')
    .select(['merchant', 'id', 'receiptId'])
    .where('status', 'in', OPEN)
    .where('expiresAt', '<=', $.now)
    .orderBy('expiresAt')
    .limit(BATCH),
);

export type SweepDeps = Pick<Deps, 'orm' | 'sql' | 'bus' | 'clock' | 'moneyOnItsWay'>;

/**
 * Ends the card checkouts that the buyer left: untouched ones are abandoned, started ones expire. If a checkout is the
 * receipt's latest attempt, the receipt fails, unless money has arrived or is on its way. Returns the number of ended
 * checkouts. Called by a timer; safe to run in several workers.
 */
export async function sweepSessions(deps: SweepDeps): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await deps.sql.run(DUE, { now: deps.clock() });
    for (const one of due) if (await endSession(deps, one)) ended += 1;
    if (due.length < BATCH) return ended;
  }
}

function endSession(deps: SweepDeps, { merchant, id, receiptId }: RowOf<typeof DUE>): Promise<boolean> {
  return inTransaction(deps, async (uow) => {
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
