import { actorOf, type Caller } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { enqueueMails } from '../../webhooks/mail/enqueue.ts';
import { countMail, readLimit } from '../../webhooks/mail/limit.ts';
import { isSensitive, isWaiting, OPEN_TRACKING } from './lifecycle.ts';
import type { Receipt } from './receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange, storeBillingAddress } from './record-change.ts';

type BuyerSideDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings'>;

/** The suffix is a plain word chosen by the merchant's refund process. */
const REFUND_REPORT = /^refund_[A-Za-z0-9_-]{1,57}$/;

/**
 * Records a report of the buyer's side (`link_opened`, …) with time and actor. A report is recorded once per name.
 * Reports move no money; only `checkout_initialized` moves a `generated` receipt to `pending`, in a row before its own.
 * `checkout_success` and `refund_…` require an admin session with its CSRF token. Any other report is refused with
 * `invalid_input`. A `refund_…` report is only a remark; refunds record the amounts.
 */
export async function reportTracking(
  deps: BuyerSideDeps,
  caller: Caller,
  input: { merchant: Wallet; receiptId: string; status: string },
): Promise<Receipt> {
  const { merchant, receiptId, status } = input;
  if (isSensitive(status)) {
    if (caller.kind !== 'session') throw forbid('session_required', 'Only an admin session may report this status');
    if (!caller.csrfProven) throw forbid('csrf_token_missing');
    if (status !== 'checkout_success' && !REFUND_REPORT.test(status)) {
      throw refuse('invalid_input', 'status must be refund_ followed by 1 to 57 letters, digits, - or _', {
        field: 'status',
      });
    }
  } else if (!OPEN_TRACKING.has(status)) {
    throw refuse('invalid_input', `status must be one of ${[...OPEN_TRACKING].join(', ')}`, { field: 'status' });
  }
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    const actor = actorOf(caller);
    const known = await uow.db
      .selectFrom('HistoryRow')
      .select('seq')
      .where((eb) => eb.and({ merchant, receiptId, kind: 'tracking', name: status }))
      .limit(1)
      .executeTakeFirst();
    if (known) return receipt;
    if (status === 'checkout_initialized' && receipt.status === 'generated') {
      await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor });
    }
    await recordChange(deps, uow, receipt, { kind: 'tracking', name: status }, { actor });
    return receipt;
  });
}

/**
 * Stores the e-mail address that a buyer enters on the page in the receipt's billing address. An existing address is
 * not replaced: a second one is refused with `invalid_input`, and so is any address for a refunded receipt. The history
 * records that an address was given, without the address. A paid receipt is sent there, once.
 */
export function setBuyerEmail(
  deps: BuyerSideDeps,
  { merchant, receiptId, email }: { merchant: Wallet; receiptId: string; email: string },
  actor: string,
): Promise<Receipt> {
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if (receipt.billingAddress?.email) {
      const known = { field: 'email', reason: 'email_known' } as const;
      throw refuse('invalid_input', 'The receipt already has an e-mail address', known);
    }
    if (receipt.status === 'refunded') {
      throw refuse('invalid_input', 'A refunded receipt cannot be changed', { field: 'receiptId', reason: 'refunded' });
    }
    await storeBillingAddress(uow, receipt, { ...receipt.billingAddress, email });
    await recordChange(deps, uow, receipt, { kind: 'note', name: 'email_given' }, { actor });
    if (receipt.status === 'paid' || receipt.status === 'completed')
      await enqueueMails(deps, uow, [{ merchant, kind: 'receipt', subjectId: receiptId }]);
    return receipt;
  });
}

/**
 * Asks an addressee by e-mail to pay a receipt: a payment request is a receipt with an address. The address replaces
 * the one that the receipt has. The history records that a request was sent, without the address. Refuses with
 * `mail_not_configured`, `mail_limit_reached`, `not_found`, and `invalid_input` for a receipt that takes no money.
 */
export async function requestPayment(
  deps: BuyerSideDeps & AuditDeps,
  { merchant, receiptId, email }: { merchant: Wallet; receiptId: string; email: string },
  actor: string,
): Promise<void> {
  const { mail } = deps.settings;
  if (mail === null) throw refuse('mail_not_configured');
  await deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if (!isWaiting(receipt))
      throw refuse('invalid_input', 'The receipt takes no payment', { field: 'receiptId', reason: 'takes_no_payment' });
    const to = { address: email, kind: 'request', again: false } as const;
    const limit = await readLimit(uow, mail, merchant, deps.clock(), to);
    if (!limit.mayAsk) throw refuse('mail_limit_reached');
    await countMail(uow, limit, 'asked', deps.clock());
    await storeBillingAddress(uow, receipt, { ...receipt.billingAddress, email });
    await recordChange(deps, uow, receipt, { kind: 'note', name: 'payment_requested' }, { actor });
    // Each request is a message of its own.
    await enqueueMails(deps, uow, [{ merchant, kind: 'request', subjectId: receiptId, occasion: receipt.seq }]);
    await recordAudit(deps, uow, merchant, 'payment.requested', ['receipt', receiptId], {});
  });
}
