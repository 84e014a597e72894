import type { Wallet } from '../../../base/core/wallet.ts';
import { CHARGE_PAID_QUEUE, enqueueJobs } from '../../../base/platform/jobs.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { boundReceipt } from '../matching/bound-transactions.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';

/** The payload of the job: a receipt of a recurring charge that another payment has paid. */
export interface PaidChargeJob {
  readonly merchant: Wallet;
  readonly receiptId: string;
}

/**
 * Enqueues, in the transaction in which a receipt is paid, that its charge is settled by that payment. The charge's own
 * transfer needs no job: the outcome of its transaction settles it.
 */
export async function enqueuePaidCharge(
  uow: UnitOfWork,
  { origin, merchant, id: receiptId }: Receipt,
  transfer: TransferRow,
): Promise<void> {
  if (origin !== 'charge' || (await boundReceipt(uow, transfer)) !== null) return;
  const data: PaidChargeJob = { merchant, receiptId };
  await enqueueJobs(uow, CHARGE_PAID_QUEUE, [data]);
}
