import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { failPayment, NO_CHECKOUT } from '../receipts/fail.ts';
import type { FailureCode } from '../receipts/failures.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceiptOrRefuse } from '../receipts/record-change.ts';
import type { OnrampSession, SessionStatus } from './session.entity.ts';
import { findOpenSession, recordedCheckoutOf } from './sessions.ts';

/**
 * The failures that a buyer's browser can observe: errors of the wallet, and a buyer who leaves. All other failures are
 * reported by the chain and the provider.
 */
export const CLAIMABLE = [
  'PORTAL_CHAIN_USER_REJECTED',
  'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
  'PORTAL_CHAIN_WALLET_MISMATCH',
  'PORTAL_SESSION_ABANDONED',
  'PORTAL_SESSION_CANCELLED',
] as const satisfies readonly FailureCode[];

/** The maximum number of failures recorded per actor, to protect the merchant from a buyer who tries things out. */
const REPORTS_MAX = 20;

const ENDINGS: Readonly<Partial<Record<FailureCode, SessionStatus>>> = {
  PORTAL_SESSION_ABANDONED: 'abandoned',
  PORTAL_SESSION_CANCELLED: 'cancelled',
};

/**
 * Records a failed attempt reported by the browser. It only moves a receipt that waits for its first money to `failed`:
 * never a receipt with money, with a sent payment, or with a charged card. Reports beyond 20 are ignored. Refuses with
 * `not_found`, and with `invalid_input` for a code that a browser cannot observe.
 */
export function reportFailure(
  deps: Pick<Deps, 'orm' | 'boss' | 'bus' | 'clock'>,
  { merchant, receiptId, code }: { readonly merchant: Wallet; readonly receiptId: string; readonly code: string },
  actor: string,
): Promise<Receipt> {
  const claimed = CLAIMABLE.find((one) => one === code);
  if (!claimed) throw refuse('invalid_input', `code must be one of ${CLAIMABLE.join(', ')}`, { field: 'code' });
  return inTransaction(deps, async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if (receipt.onrampCharged || (await isUnderWay(uow, receipt)) || (await exceedsReports(uow, receipt, actor)))
      return receipt;
    const ending = ENDINGS[claimed];
    const open = await findOpenSession(uow, receipt, deps.clock());
    if (open && ending) Object.assign(open, { status: ending, failureCode: claimed, updatedAt: deps.clock() });
    await failPayment(deps, uow, receipt, claimed, { actor, checkout: checkoutOf(open, ending) });
    await uow.em.flush();
    return receipt;
  });
}

/** A wallet's failure does not concern a card checkout. */
const checkoutOf = (open: OnrampSession | null, ending: SessionStatus | undefined) =>
  open && ending ? recordedCheckoutOf(open) : NO_CHECKOUT;

/** Whether a transaction was submitted; its outcome is read from the chain. */
async function isUnderWay(uow: UnitOfWork, receipt: Receipt): Promise<boolean> {
  const [open] = await uow.sql(
    'select 1 from submitted_transactions where merchant = $1 and receipt_id = $2 and closed_at is null limit 1',
    [receipt.merchant, receipt.id],
  );
  return open !== undefined;
}

async function exceedsReports(uow: UnitOfWork, receipt: Receipt, actor: string): Promise<boolean> {
  const [row] = await uow.sql<{ count: number }>(
    `select count(*)::int as count from receipt_history
      where merchant = $1 and receipt_id = $2 and kind = 'status' and status = 'failed' and actor = $3`,
    [receipt.merchant, receipt.id, actor],
  );
  return (row?.count ?? 0) >= REPORTS_MAX;
}
