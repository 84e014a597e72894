import { Refusal } from '../core/errors.ts';
import { query } from '../platform/query.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { endReservations } from '../quotes/reserve.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import { awaitsConfirmations, paidBalance } from './core/confirm.ts';
import { describeBalance, describeTransfer } from './credit.ts';
import { isCrossChecked } from './cross-check.ts';
import type { MatchDeps } from './match.ts';
import { confirmTransfer, lockTransfer, readCredits, selectTransfers, type TransferRow } from './transfers.ts';

const BATCH = 500;

const UNCONFIRMED = query('payments-unconfirmed', (db, $: { chainId: number; upTo: number }) =>
  selectTransfers(db)
    .where('chainId', '=', $.chainId)
    .where('blockNumber', '<=', $.upTo)
    .where('confirmedAt', 'is', null)
    .orderBy('blockNumber')
    .orderBy('logIndex')
    .limit(BATCH),
);

/** Confirms the transfers up to a block that was read at full depth, and marks the receipts that they cover as paid. */
export async function confirmTransfers(deps: MatchDeps, chainId: number, upTo: number): Promise<void> {
  for (;;) {
    const transfers = await deps.sql.run(UNCONFIRMED, { chainId, upTo });
    let failed = false;
    for (const transfer of transfers) {
      try {
        if (await isCrossChecked(deps, transfer)) await confirm(deps, transfer);
        else failed = true;
      } catch (error) {
        if (error instanceof Refusal) throw error;
        // A transfer that fails does not block the others; the next round retries it.
        failed = true;
        deps.log.error({ err: error, transactionHash: transfer.transactionHash }, 'payment confirmation failed');
      }
    }
    if (failed || transfers.length < BATCH) return;
  }
}

async function confirm(deps: MatchDeps, seen: TransferRow): Promise<void> {
  await inTransaction(deps, async (uow) => {
    const transfer = await lockTransfer(uow, seen);
    if (!transfer || transfer.confirmedAt !== null) return;
    await confirmTransfer(uow, transfer, deps.clock());
    const receipt = transfer.receiptId === null ? null : await lockReceipt(uow, transfer.merchant, transfer.receiptId);
    if (receipt && awaitsConfirmations(receipt)) await payIfFinal(deps, uow, receipt, transfer);
  });
}

async function payIfFinal(deps: MatchDeps, uow: UnitOfWork, receipt: Receipt, transfer: TransferRow): Promise<void> {
  const balance = paidBalance(receipt, await readCredits(uow, receipt));
  if (balance === null) return;
  const token = deps.chain.tokens.find(({ symbol }) => symbol === transfer.token);
  await recordChange(
    deps,
    uow,
    receipt,
    { kind: 'status', to: 'paid' },
    { actor: 'chain', detail: { ...describeTransfer(transfer, token), ...describeBalance(balance) } },
  );
  await endReservations(uow, receipt, deps.clock());
  await deps.createShares(uow, receipt);
}
