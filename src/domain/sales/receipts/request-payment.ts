import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { recordAudit } from '../../../base/records/audit/record.ts';
import { enqueueMails } from '../../webhooks/mail/enqueue.ts';
import { isLimitReached } from '../../webhooks/mail/limit.ts';
import { isWaiting } from './lifecycle.ts';
import { lockReceiptOrRefuse, recordChange, storeBillingAddress } from './record-change.ts';

type RequestDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'origin'>;

/**
 * Asks an addressee by e-mail to pay a receipt: a payment request is a receipt with an address. The address replaces
 * the one that the receipt has. The history records that a request was sent, without the address. Refuses with
 * `mail_not_configured`, `mail_limit_reached`, `not_found`, and `invalid_input` for a receipt that takes no money.
 */
export async function requestPayment(
  deps: RequestDeps,
  { merchant, receiptId, email }: { merchant: Wallet; receiptId: string; email: string },
  actor: string,
): Promise<void> {
  const { mail } = deps.settings;
  if (mail === null) throw refuse('mail_not_configured');
  await deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if (!isWaiting(receipt)) throw refuse('invalid_input', 'The receipt takes no payment', { field: 'receiptId' });
    if (await isLimitReached(uow, mail, merchant, deps.clock())) throw refuse('mail_limit_reached');
    await storeBillingAddress(uow, receipt, { ...receipt.billingAddress, email });
    await recordChange(deps, uow, receipt, { kind: 'note', name: 'payment_requested' }, { actor });
    // Each request is a message of its own.
    await enqueueMails(deps, uow, [{ merchant, kind: 'request', subjectId: receiptId, occasion: receipt.seq }]);
    await recordAudit(deps, uow, merchant, 'payment.requested', ['receipt', receiptId], {});
  });
}
