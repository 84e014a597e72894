import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { failPayment, NO_CHECKOUT } from '../../sales/receipts/fail.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';
import { isHeldOpen } from '../../sales/receipts/on-its-way.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceiptOrRefuse } from '../../sales/receipts/record-change.ts';
import type { SessionStatus } from './lifecycle.ts';
import type { OnrampSession } from './session.entity.ts';
import { findOpenSession, moveSession, recordedCheckoutOf } from './sessions.ts';

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
export type ClaimableFailure = (typeof CLAIMABLE)[number];

/** Parses a failure code from a browser. Refuses with `invalid_input` a code that a browser cannot observe. */
export function parseClaim(code: string): ClaimableFailure {
  const claimed = CLAIMABLE.find((one) => one === code);
  if (!claimed) throw refuse('invalid_input', `code must be one of ${CLAIMABLE.join(', ')}`, { field: 'code' });
  return claimed;
}

/** The maximum number of failures recorded per actor, to protect the merchant from a buyer who tries things out. */
const REPORTS_MAX = 20;

const ENDINGS: Readonly<Partial<Record<FailureCode, SessionStatus>>> = {
  PORTAL_SESSION_ABANDONED: 'abandoned',
  PORTAL_SESSION_CANCELLED: 'cancelled',
};

/**
 * Records a failed attempt reported by the browser. It only moves a receipt that waits for its first money to `failed`:
 * never a receipt with money, with a sent payment, or with a charged card. Reports beyond 20 are ignored. Refuses with
 * `not_found`.
 */
export function reportFailure(
  deps: Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'moneyOnItsWay'>,
  {
    merchant,
    receiptId,
    code,
  }: { readonly merchant: Wallet; readonly receiptId: string; readonly code: ClaimableFailure },
  actor: string,
): Promise<Receipt> {
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if ((await isHeldOpen(deps, uow, receipt)) || (await exceedsReports(uow, receipt, actor))) return receipt;
    const ending = ENDINGS[code];
    const open = await findOpenSession(uow, receipt, deps.clock());
    if (open && ending) await moveSession(uow, open, ending, { failureCode: code, updatedAt: deps.clock() });
    await failPayment(deps, uow, receipt, code, { actor, checkout: checkoutOf(open, ending) });
    return receipt;
  });
}

/** A wallet's failure does not concern a card checkout. */
const checkoutOf = (open: OnrampSession | null, ending: SessionStatus | undefined) =>
  open && ending ? recordedCheckoutOf(open) : NO_CHECKOUT;

async function exceedsReports(
  { db }: UnitOfWork,
  { merchant, id: receiptId }: Receipt,
  actor: string,
): Promise<boolean> {
  const { count } = await db
    .selectFrom('HistoryRow')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => eb.and({ merchant, receiptId, kind: 'status', status: 'failed', actor }))
    .executeTakeFirstOrThrow();
  return count >= REPORTS_MAX;
}
