import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { inTransaction } from '../../../base/platform/unit-of-work.ts';
import type { Receipt } from './receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange, storeBillingAddress } from './record-change.ts';

/**
 * Stores the e-mail address that a buyer enters on the page in the receipt's billing address. An existing address is
 * not replaced: a second one is refused with `invalid_input`, and so is any address for a refunded receipt. The history
 * records that an address was given, without the address.
 */
export function setBuyerEmail(
  deps: Pick<Deps, 'orm' | 'bus' | 'clock'>,
  { merchant, receiptId, email }: { merchant: Wallet; receiptId: string; email: string },
  actor: string,
): Promise<Receipt> {
  return inTransaction(deps, async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if (receipt.billingAddress?.email) {
      throw refuse('invalid_input', 'The receipt already has an e-mail address', { field: 'email' });
    }
    if (receipt.status === 'refunded') {
      throw refuse('invalid_input', 'A refunded receipt cannot be changed', { field: 'receiptId' });
    }
    await storeBillingAddress(uow, receipt, { ...receipt.billingAddress, email });
    await recordChange(deps, uow, receipt, { kind: 'note', name: 'email_given' }, { actor });
    return receipt;
  });
}
