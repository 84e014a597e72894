import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { isPartPaid } from './ended.ts';
import type { FailureCode } from './failures.ts';
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
 * Marks a locked receipt's payment as failed, unless money has arrived: a late failure report never replaces a payment
 * that was seen. Repeating the same failure changes nothing, and neither does a failure of a receipt that
 * has ended. A different failure belongs to a new attempt, so `pending`
 * is recorded before it. `checkout` is the checkout that failed. Returns true if this call made the receipt fail.
 */
export async function failPayment(
  deps: Pick<Deps, 'boss' | 'bus' | 'clock'>,
  uow: UnitOfWork,
  receipt: Receipt,
  code: FailureCode,
  circumstances: Circumstances & { readonly checkout: RecordedCheckout },
): Promise<boolean> {
  const { actor, detail, checkout } = circumstances;
  if (receipt.status === 'failed' && (receipt.failureCode === code || receipt.closedAt !== null)) return false;
  if (receipt.status === 'generated' || receipt.status === 'failed') {
    await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor });
  }
  if (receipt.status !== 'pending' && (receipt.status !== 'tx_mismatch' || isPartPaid(receipt))) return false;
  Object.assign(receipt, checkout, { failureCode: code, onrampCharged: false });
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'failed' }, { actor, detail });
  return true;
}
