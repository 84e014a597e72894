import { actorOf, type Caller } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { isSensitive, OPEN_TRACKING } from './lifecycle.ts';
import type { Receipt } from './receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from './record-change.ts';

/** Whatever a merchant's own process calls it, as long as it is a plain word. */
const REFUND_REPORT = /^refund_[A-Za-z0-9_-]{1,57}$/;

/**
 * Records what the buyer's side reports (`link_opened`, …), with time and actor. A report that repeats the last one of its name is taken once. It moves
 * no money: only `checkout_initialized` takes a `generated` receipt to `pending`, in a row before its own. `checkout_success` and `refund_…` are for an
 * admin with its CSRF token; any other word is refused with `invalid_input`. A `refund_…` is a remark and no more: amounts are kept by a refund.
 */
export async function reportTracking(
  deps: Pick<Deps, 'orm' | 'boss' | 'bus' | 'clock'>,
  caller: Caller,
  input: { merchant: Wallet; receiptId: string; status: string },
): Promise<Receipt> {
  const { merchant, receiptId, status } = input;
  if (isSensitive(status)) {
    if (caller.kind !== 'session' || !caller.csrfProven)
      throw refuse('forbidden', 'This status is reported from the admin session only');
    if (status !== 'checkout_success' && !REFUND_REPORT.test(status)) {
      throw refuse('invalid_input', 'status must be refund_ and 1 to 57 letters, digits, - or _', { field: 'status' });
    }
  } else if (!OPEN_TRACKING.has(status)) {
    throw refuse('invalid_input', `status must be one of ${[...OPEN_TRACKING].join(', ')}`, { field: 'status' });
  }
  return inTransaction(deps, async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    const actor = actorOf(caller);
    const [known] = await uow.sql(
      'select 1 from receipt_history where merchant = $1 and receipt_id = $2 and kind = $3 and name = $4 limit 1',
      [merchant, receiptId, 'tracking', status],
    );
    if (known) return receipt;
    if (status === 'checkout_initialized' && receipt.status === 'generated') {
      await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor });
    }
    await recordChange(deps, uow, receipt, { kind: 'tracking', name: status }, { actor });
    return receipt;
  });
}
