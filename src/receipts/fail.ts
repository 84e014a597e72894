import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { FailureCode } from './failures.ts';
import type { Receipt } from './receipt.entity.ts';
import { type Circumstances, recordChange } from './record-change.ts';

/** The card checkout that a receipt tells of. Money in US cents. */
export type ToldCheckout = Pick<Receipt, 'onrampSessionId' | 'onrampSourceAmountCents' | 'customerTotalCents'>;

export const NO_CHECKOUT: ToldCheckout = {
  onrampSessionId: null,
  onrampSourceAmountCents: null,
  customerTotalCents: null,
};

/**
 * Lets a locked receipt's payment fail, where it has not got any money: a failure that is told late never replaces a payment that was seen. The same
 * failure again changes nothing; another one was another attempt, so `pending` comes before it. `checkout` is the one that failed. True where the receipt
 * has failed by it.
 */
export async function failPayment(
  deps: Pick<Deps, 'boss' | 'bus' | 'clock'>,
  uow: UnitOfWork,
  receipt: Receipt,
  code: FailureCode,
  circumstances: Circumstances & { readonly checkout: ToldCheckout },
): Promise<boolean> {
  const { actor, detail, checkout } = circumstances;
  if (receipt.status === 'failed' && receipt.failureCode === code) return false;
  if (receipt.status === 'generated' || receipt.status === 'failed') {
    await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor });
  }
  if (receipt.status !== 'pending') return false;
  Object.assign(receipt, checkout, { failureCode: code, onrampCharged: false });
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'failed' }, { actor, detail });
  return true;
}
