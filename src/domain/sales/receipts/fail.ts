import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { isPartPaid } from './ended.ts';
import type { FailureCode } from './failures.ts';
import { isHeldOpen } from './on-its-way.ts';
import type { Receipt } from './receipt.entity.ts';
import { type Circumstances, recordChange } from './record-change.ts';

/** The card checkout recorded on a receipt. Money in US cents. */
export type RecordedCheckout = Pick<Receipt, 'onrampSessionId' | 'onrampSourceAmountCents' | 'customerTotalCents'>;

export const NO_CHECKOUT: RecordedCheckout = {
  onrampSessionId: null,
  onrampSourceAmountCents: null,
  customerTotalCents: null,
};

/**
 * Marks a locked receipt's payment as failed, unless money has arrived or another payment is on its way: a failed
 * attempt never replaces a payment that may succeed. Store what the failure changes before the call. Repeating the same
 * failure changes nothing, and neither does a failure of a receipt that has ended. A different failure belongs to a new
 * attempt, so `pending` is recorded before it. `checkout` is the checkout that failed. Returns true if this call made
 * the receipt fail.
 */
export async function failPayment(
  deps: Pick<Deps, 'bus' | 'clock' | 'settings' | 'moneyOnItsWay'>,
  uow: UnitOfWork,
  receipt: Receipt,
  code: FailureCode,
  circumstances: Circumstances & { readonly checkout: RecordedCheckout },
): Promise<boolean> {
  const { actor, detail, checkout } = circumstances;
  if (receipt.status === 'failed' && (receipt.failureCode === code || receipt.closedAt !== null)) return false;
  if (await isHeldOpen(deps, uow, receipt)) return false;
  if (receipt.status === 'generated' || receipt.status === 'failed') {
    await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor });
  }
  if (receipt.status !== 'pending' && (receipt.status !== 'tx_mismatch' || isPartPaid(receipt))) return false;
  Object.assign(receipt, checkout, { failureCode: code });
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'failed' }, { actor, detail });
  return true;
}
