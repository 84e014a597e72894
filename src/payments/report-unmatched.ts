import type { Token } from '../chain/tokens.ts';
import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { isWaiting, WAITING } from '../receipts/lifecycle.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import { type CreditDeps, describeTransfer } from './credit.ts';
import type { UnmatchedReason } from './transfer.entity.ts';
import { leaveUnmatched, type TransferRow } from './transfers.ts';

/** The note on a receipt that says that money arrived which may be meant for it. */
export const UNMATCHED_NOTE = 'transfer_unmatched';

/** A quote is near a transfer where they differ by at most so much of the transfer's amount. */
const NEAR_PERCENT = 5n;

/**
 * Keeps a transfer as unmatched and reports it once: a line in the log, and a note in the history of the receipt that
 * it is likely meant for.
 *
 * @param unmatched.quoteId the quote that the transfer equals, where there is one
 */
export async function reportUnmatched(
  deps: CreditDeps & Pick<Deps, 'log'>,
  uow: UnitOfWork,
  transfer: TransferRow,
  unmatched: { readonly token: Token; readonly reason: UnmatchedReason; readonly quoteId: string | null },
): Promise<void> {
  const { token, reason, quoteId } = unmatched;
  await leaveUnmatched(uow, transfer, reason, quoteId);
  const isKnown = transfer.unmatchedReason !== null && transfer.unmatchedReason !== 'error';
  if (isKnown) return;
  const likely = reason === 'unknown_amount' ? await findLikely(uow, transfer) : null;
  const detail = describeTransfer(transfer, token);
  const { merchant } = transfer;
  uow.afterCommit(() =>
    deps.log.info(
      { merchant, reason, ...detail, ...(likely && { receiptId: likely.receiptId }) },
      'a transfer pays no receipt',
    ),
  );
  if (!likely) return;
  const receipt = await lockReceipt(uow, merchant, likely.receiptId);
  if (!receipt || !isWaiting(receipt)) return;
  await recordChange(
    deps,
    uow,
    receipt,
    { kind: 'note', name: UNMATCHED_NOTE },
    {
      actor: 'chain',
      detail: { ...detail, quotedAmount: likely.amount },
    },
  );
}

interface Likely {
  readonly receiptId: string;
  /** The quoted amount, base units. */
  readonly amount: string;
}

/**
 * The receipt that waits for nearly as much: it has an open quote within 5 % of the transfer's amount, and no other
 * receipt has one within 10 %. The amounts are read from the index of quoted amounts, and the search ends at the first
 * quote of a second receipt.
 */
async function findLikely(uow: Pick<UnitOfWork, 'sql'>, transfer: TransferRow): Promise<Likely | null> {
  const amount = BigInt(transfer.amount);
  const near = (amount * NEAR_PERCENT) / 100n;
  const open = `select q.receipt_id as "receiptId", q.amount::text as amount from quotes q
      join receipts r on r.merchant = q.merchant and r.id = q.receipt_id and r.status = any($4)
     where q.chain_id = $1 and q.pay_to = $2 and q.token = $3 and q.reserved_until is null and q.amount between $6::numeric and $7::numeric
       and (r.created_block is null or r.created_block <= $5)`;
  const place = [transfer.chainId, transfer.payTo, transfer.token, WAITING, transfer.blockNumber];
  const [likely] = await uow.sql<Likely>(`${open} order by q.amount desc limit 1`, [
    ...place,
    amount - near,
    amount + near,
  ]);
  if (!likely) return null;
  const [other] = await uow.sql(`${open} and q.receipt_id <> $8 limit 1`, [
    ...place,
    amount - 2n * near,
    amount + 2n * near,
    likely.receiptId,
  ]);
  return other ? null : likely;
}
