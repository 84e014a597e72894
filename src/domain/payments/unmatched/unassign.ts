import { refuse } from '../../../base/core/errors.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { recordAudit } from '../../../base/records/audit/record.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceiptOrRefuse } from '../../sales/receipts/record-change.ts';
import { decideReversal } from '../transfers/core/reverse.ts';
import { columnsOfTransfer } from '../transfers/core/transfer-row.ts';
import { describeTransfer, returnToCredits } from '../transfers/credit.ts';
import { hasAssigned, leaveUnmatched } from '../transfers/transfers.ts';
import type { Assignment } from './assign.ts';
import { auditedTransfer, type DecidingDeps, requireOne, type UnmatchedName } from './lock-unmatched.ts';

/** The note on a receipt whose status did not follow from the transfer that was assigned to it. */
const UNASSIGNED_NOTE = 'payment_unassigned';

/**
 * Takes the assignment of a transfer back: the transfer is unmatched as before, and the receipt returns to its state
 * without it. A receipt that had expired waits for an hour again; one that was voided is voided again once no assigned
 * money is left. Refuses with `not_found` if no transfer of this name was assigned by hand, and with `invalid_input` if
 * its receipt is paid, or if a part of its money was sent back.
 */
export async function unassignTransfer(
  deps: DecidingDeps,
  { by, ...name }: UnmatchedName & Pick<Assignment, 'by'>,
): Promise<Receipt> {
  return deps.db.transaction(async (uow) => {
    const { receiptId } = await findAssigned(uow, name);
    const receipt = await lockReceiptOrRefuse(uow, name.merchant, receiptId);
    const { assignedFrom, ...transfer } = await findAssigned(uow, name, receiptId);
    if (decideReversal(receipt, transfer).isKept || receipt.refundedCents > 0) {
      const why = receipt.refundedCents > 0 ? 'a part of its money was refunded' : `it is ${receipt.status}`;
      throw refuse('invalid_input', `The assignment to receipt ${receiptId} is final: ${why}`, {
        field: 'transactionHash',
        reason: 'assignment_final',
      });
    }
    const { reason = 'unknown_amount', meantFor, voided = false } = assignedFrom ?? {};
    await leaveUnmatched(uow, transfer, { reason, meantFor: meantFor ?? [] });
    const wasVoided = voided && !(await hasAssigned(uow, receipt));
    const detail = describeTransfer(transfer, tokenOn(deps, transfer.chainId, transfer.token) ?? undefined);
    await returnToCredits(deps, uow, receipt, { actor: `wallet:${by}`, note: UNASSIGNED_NOTE, detail, wasVoided });
    await recordAudit(deps, uow, name.merchant, 'payment.unassigned', ['receipt', receiptId], {
      before: auditedTransfer(transfer),
    });
    return receipt;
  });
}

/** Locks and returns the transfer that was assigned by hand: before its receipt is known, without a lock. */
async function findAssigned(
  { db }: UnitOfWork,
  { merchant, transactionHash, logIndex, chainId }: UnmatchedName,
  receiptId: string | null = null,
) {
  const found = await db
    .selectFrom('Transfer')
    .select(columnsOfTransfer)
    .select('Transfer.assignedFrom')
    .where('merchant', '=', merchant)
    .where('transactionHash', '=', transactionHash.toLowerCase() as `0x${string}`)
    .where('canonical', '=', true)
    .where('assignedBy', 'is not', null)
    .where('receiptId', 'is not', null)
    .$if(chainId != null, (one) => one.where('chainId', '=', chainId as number))
    .$if(logIndex != null, (one) => one.where('logIndex', '=', logIndex as number))
    .$if(receiptId !== null, (one) => one.where('receiptId', '=', receiptId).forUpdate())
    .$narrowType<{ receiptId: string }>()
    .execute();
  return requireOne(found, 'assigned');
}
