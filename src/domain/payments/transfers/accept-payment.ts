import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { ACCEPTED_NOTE } from '../../sales/receipts/accepted-note.ts';
import { isWaiting } from '../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from '../../sales/receipts/record-change.ts';
import { decisiveCredit, differenceOf, weigh } from './core/weigh.ts';
import { readCredits, resetConfirmations } from './transfers.ts';

/**
 * Accepts an insufficient payment by hand: a receipt in `tx_mismatch`, or one that was voided with money in it, becomes
 * `tx_mined`, and `paid` once all its money has its confirmations. The history names the admin and the difference. If a
 * reorganisation removes some of the money, the acceptance is void. A receipt that was accepted before does not change.
 * Refuses with `not_found`, and with `invalid_input` if nothing was received or the receipt is in another state.
 *
 * @param actor the admin, as in `wallet:0x…`
 */
export function acceptPayment(
  deps: WritingDeps & AnnouncingDeps,
  merchant: Wallet,
  id: string,
  actor: string,
): Promise<void> {
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, id);
    if (receipt.acceptedUsd != null && !isWaiting(receipt)) return;
    if (receipt.status !== 'tx_mismatch' && receipt.status !== 'failed') throw refusal(receipt, whyNot(receipt));
    const credits = await readCredits(uow, receipt);
    const last = credits.at(-1);
    if (!last || !decisiveCredit(receipt, credits)) throw refusal(receipt, 'nothing but dust was received for it');
    const { status } = receipt;
    const difference = differenceOf(receipt, credits);
    receipt.acceptedUsd = difference.missingUsd;
    const { paid } = weigh(receipt, credits, last);
    Object.assign(receipt, paid);
    const detail = { ...difference };
    await recordChange(deps, uow, receipt, { kind: 'status', to: 'tx_mined' }, { actor, detail });
    await recordChange(deps, uow, receipt, { kind: 'note', name: ACCEPTED_NOTE }, { actor, detail });
    await resetConfirmations(uow, receipt);
    await recordAudit(deps, uow, merchant, 'payment.accepted', ['receipt', id], {
      before: { status },
      after: { status: receipt.status, ...difference },
    });
    uow.afterCommit(() => deps.bus.publish(HINT_CHANNEL, last.transactionHash));
  });
}

const refusal = ({ id }: Receipt, why: string) =>
  refuse('invalid_input', `Receipt ${id} cannot be accepted: ${why}`, {
    field: 'receiptId',
    reason: 'nothing_to_accept',
  });

const whyNot = ({ status }: Receipt): string =>
  isWaiting({ status }) ? 'nothing was received for it' : `it is ${status}`;
