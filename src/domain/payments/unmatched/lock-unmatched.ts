import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { AuditDeps } from '../../../base/records/audit/record.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { selectTransfers } from '../transfers/transfers.ts';

/** What decisions on transfers need. */
export type DecidingDeps = AuditDeps & Pick<Deps, 'db' | 'chain' | 'chains' | 'settings'>;

/** Identifies an unmatched transfer of a merchant. */
export interface UnmatchedName {
  readonly merchant: Wallet;
  readonly transactionHash: string;
  /** The log index of the transfer; optional if the transaction has only one unmatched transfer. */
  readonly logIndex?: number | null;
  /** The chain of the transfer; optional if only one has it: coins have no hash of their own in a contract. */
  readonly chainId?: number | null;
}

/**
 * Locks and returns the merchant's unmatched transfer. Refuses with `not_found`, and with `invalid_input` if the
 * transaction has several and `logIndex` or `chainId` is missing.
 */
export async function lockUnmatched(
  uow: UnitOfWork,
  { merchant, transactionHash, logIndex, chainId }: UnmatchedName,
): Promise<TransferRow> {
  const transfers = await selectTransfers(uow.db)
    .where('merchant', '=', merchant)
    .where('transactionHash', '=', transactionHash.toLowerCase() as `0x${string}`)
    .where('receiptId', 'is', null)
    // A collection pays nothing: it brings to the split what has arrived before.
    .where(({ or, eb }) => or([eb('addressOf', 'is', null), eb('split', 'is not', null)]))
    .$if(chainId != null, (one) => one.where('chainId', '=', chainId as number))
    .$if(logIndex != null, (one) => one.where('logIndex', '=', logIndex as number))
    .forUpdate()
    .execute();
  return requireOne(transfers, 'unmatched');
}

/** The only one of the transfers of a name. Refuses none with `not_found`, and several with `invalid_input`. */
export function requireOne<T extends Pick<TransferRow, 'chainId'>>(
  transfers: readonly T[],
  what: 'unmatched' | 'assigned',
): T {
  const [transfer] = transfers;
  if (!transfer) throw refuse('not_found', `${what === 'unmatched' ? 'Unmatched' : 'Assigned'} transfer not found`);
  if (transfers.length > 1) {
    const field = new Set(transfers.map(({ chainId }) => chainId)).size > 1 ? 'chainId' : 'logIndex';
    throw refuse('invalid_input', `${field} is required: there is more than one ${what} transfer`, { field });
  }
  return transfer;
}

/** What the audit log records of a transfer. */
export const auditedTransfer = ({ chainId, transactionHash, logIndex, token, amount, sender }: TransferRow) => ({
  ...{ chainId, transactionHash, logIndex, asset: token, amount, sender },
});
