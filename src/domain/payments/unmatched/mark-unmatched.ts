import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { recordAudit } from '../../../base/records/audit/record.ts';
import { markForRefund } from '../transfers/transfers.ts';
import { auditedTransfer, type DecidingDeps, lockUnmatched, type UnmatchedName } from './lock-unmatched.ts';
import { readUnmatched, type UnmatchedTransfer } from './unmatched.ts';

export interface Mark extends UnmatchedName {
  /** False removes the mark. */
  readonly marked: boolean;
  /** The admin's wallet. */
  readonly by: Wallet;
}

/**
 * Marks an unmatched transfer for refund: it cannot pay a receipt, neither by matching nor by assignment, until the
 * mark is removed. The first mark keeps its admin and time. No money is moved. Refuses with `not_found`, and with
 * `invalid_input` if the transfer lacks its confirmations (its block may still be removed) or is one of several.
 */
export async function markUnmatched(deps: DecidingDeps & Pick<Deps, 'log'>, mark: Mark): Promise<UnmatchedTransfer> {
  const { merchant, marked, by } = mark;
  const transfer = await deps.db.transaction(async (uow) => {
    const found = await lockUnmatched(uow, mark);
    if ((found.refundMarkedAt !== null) === marked) return found;
    if (marked && found.confirmedAt === null) {
      throw refuse('invalid_input', 'This transfer does not have its confirmations yet', {
        field: 'transactionHash',
        reason: 'unconfirmed',
      });
    }
    await markForRefund(uow, found, marked ? { at: deps.clock(), by } : null);
    const { chainId, transactionHash, logIndex } = found;
    await recordAudit(
      deps,
      uow,
      merchant,
      marked ? 'payment.marked' : 'payment.unmarked',
      ['transfer', `${chainId}:${transactionHash}:${logIndex}`],
      { after: auditedTransfer(found) },
    );
    uow.afterCommit(() =>
      deps.log.info(
        { merchant, by, chainId, transactionHash, logIndex },
        marked ? 'unmatched transfer marked for refund' : 'unmatched transfer no longer marked for refund',
      ),
    );
    return found;
  });
  return readUnmatched(deps, merchant, transfer);
}
