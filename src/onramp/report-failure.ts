import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { failPayment, NO_CHECKOUT } from '../receipts/fail.ts';
import type { FailureCode } from '../receipts/failures.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceiptOrRefuse } from '../receipts/record-change.ts';
import type { OnrampSession, SessionStatus } from './session.entity.ts';
import { findOpenSession, tellOf } from './sessions.ts';

/** What a buyer's browser can know: what it saw in the wallet, and that the buyer is gone. Everything else the chain and the provider say. */
export const CLAIMABLE = [
  'PORTAL_CHAIN_USER_REJECTED',
  'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
  'PORTAL_CHAIN_WALLET_MISMATCH',
  'PORTAL_SESSION_ABANDONED',
  'PORTAL_SESSION_CANCELLED',
] as const satisfies readonly FailureCode[];

/** A buyer who fails more often than this is trying things out: the merchant hears no more of it. */
const REPORTS_MAX = 20;

const ENDINGS: Readonly<Partial<Record<FailureCode, SessionStatus>>> = {
  PORTAL_SESSION_ABANDONED: 'abandoned',
  PORTAL_SESSION_CANCELLED: 'cancelled',
};

/**
 * Takes the browser's word that its attempt to pay has failed. It moves a receipt that waits for its first money to `failed`, and nothing else: not one
 * that has got money, nor one whose payment was sent, nor one whose card was charged. Reports beyond 20 are passed over. Refuses with `not_found`, and
 * with `invalid_input` a code that a browser cannot know.
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
    if (receipt.onrampCharged || (await isUnderWay(uow, receipt)) || (await isTiresome(uow, receipt, actor)))
      return receipt;
    const ending = ENDINGS[claimed];
    const open = await findOpenSession(uow, receipt, deps.clock());
    if (open && ending) Object.assign(open, { status: ending, failureCode: claimed, updatedAt: deps.clock() });
    await failPayment(deps, uow, receipt, claimed, { actor, checkout: checkoutOf(open, ending) });
    await uow.em.flush();
    return receipt;
  });
}

/** A wallet's failure has nothing to do with a card. */
const checkoutOf = (open: OnrampSession | null, ending: SessionStatus | undefined) =>
  open && ending ? tellOf(open) : NO_CHECKOUT;

/** A transaction was sent: what becomes of it, the chain says. */
async function isUnderWay(uow: UnitOfWork, receipt: Receipt): Promise<boolean> {
  const [open] = await uow.sql(
    'select 1 from submitted_transactions where merchant = $1 and receipt_id = $2 and closed_at is null limit 1',
    [receipt.merchant, receipt.id],
  );
  return open !== undefined;
}

async function isTiresome(uow: UnitOfWork, receipt: Receipt, actor: string): Promise<boolean> {
  const [row] = await uow.sql<{ count: number }>(
    `select count(*)::int as count from receipt_history
      where merchant = $1 and receipt_id = $2 and kind = 'status' and status = 'failed' and actor = $3`,
    [receipt.merchant, receipt.id, actor],
  );
  return (row?.count ?? 0) >= REPORTS_MAX;
}
