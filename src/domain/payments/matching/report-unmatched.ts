import type { Token } from '../../../base/chain/token.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { isWaiting } from '../../sales/receipts/lifecycle.ts';
import { lockReceipt, recordChange } from '../../sales/receipts/record-change.ts';
import { raiseEvents } from '../../webhooks/events/events.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { type CreditDeps, describeTransfer } from '../transfers/credit.ts';
import { leaveUnmatched, type Unmatched } from '../transfers/transfers.ts';
import { UNMATCHED_NOTE } from './unmatched-note.ts';

interface Report extends Unmatched {
  readonly token: Token;
}

/**
 * Keeps a transfer as unmatched and reports it once: an event, a line in the log, and a note in the history of the
 * receipt that it is meant for, if that is one.
 */
export async function reportUnmatched(
  deps: CreditDeps & Pick<Deps, 'log'>,
  uow: UnitOfWork,
  transfer: TransferRow,
  { token, ...unmatched }: Report,
): Promise<void> {
  const { reason, meantFor } = unmatched;
  await leaveUnmatched(uow, transfer, unmatched);
  const isKnown = transfer.unmatchedReason !== null && transfer.unmatchedReason !== 'error';
  if (isKnown) return;
  const [receiptId = null, ...others] = meantFor;
  const target = others.length > 0 ? null : receiptId;
  const detail = describeTransfer(transfer, token);
  const { merchant, chainId, transactionHash, logIndex, sender, payTo } = transfer;
  await raiseEvents(uow, [
    {
      ...{ merchant, at: deps.clock(), kind: 'transfer.unmatched' },
      source: `transfer:${chainId}:${transactionHash}:${logIndex}`,
      data: { ...detail, ...{ chainId, logIndex, sender, payTo, reason }, likelyReceiptId: target },
    },
  ]);
  uow.afterCommit(() =>
    deps.log.info(
      { merchant, reason, ...detail, ...(target !== null && { receiptId: target }) },
      'a transfer pays no receipt',
    ),
  );
  if (target === null) return;
  const receipt = await lockReceipt(uow, merchant, target);
  if (!receipt || !isWaiting(receipt)) return;
  const change = { kind: 'note', name: UNMATCHED_NOTE } as const;
  await recordChange(deps, uow, receipt, change, { actor: 'chain', detail: { ...detail, reason } });
}
