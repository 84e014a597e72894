import { z } from 'zod';
import { refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { email } from '../core/text.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import type { Receipt } from './receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from './record-change.ts';

const input = z.object({ email });

/**
 * Keeps the e-mail address that a buyer gives on the page, in the receipt's billing address. Once there is one it stays: a second is refused with
 * `invalid_input`, whoever gives it, and so is any on a refunded receipt. The history notes that it was given, not what it is.
 */
export function setBuyerEmail(
  deps: Pick<Deps, 'orm' | 'boss' | 'bus' | 'clock'>,
  { merchant, receiptId, ...given }: { merchant: Wallet; receiptId: string; email: string },
  actor: string,
): Promise<Receipt> {
  const { email: address } = parseInput(input, given);
  return inTransaction(deps, async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if (receipt.billingAddress?.email) {
      throw refuse('invalid_input', 'The receipt has an e-mail address already', { field: 'email' });
    }
    if (receipt.status === 'refunded') {
      throw refuse('invalid_input', 'A refunded receipt is not changed any more', { field: 'receiptId' });
    }
    receipt.billingAddress = { ...receipt.billingAddress, email: address };
    await recordChange(deps, uow, receipt, { kind: 'note', name: 'email_given' }, { actor });
    return receipt;
  });
}
