import Big from 'big.js';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { recordAudit } from '../../../base/records/audit/record.ts';
import { isWaiting, type ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceiptOrRefuse } from '../../sales/receipts/record-change.ts';
import { type ReadRate, rateAt } from '../../shop/fx/usd-per-token.ts';
import { quoteAt } from '../quotes/store.ts';
import { linkTo, rateFor, weigh } from '../transfers/core/weigh.ts';
import { creditTransfer } from '../transfers/credit.ts';
import { readCredits } from '../transfers/transfers.ts';
import { auditedTransfer, type DecidingDeps, lockUnmatched } from './lock-unmatched.ts';

export interface Assignment {
  readonly merchant: Wallet;
  readonly transactionHash: string;
  /** The log index of the transfer; optional if the transaction has only one unmatched transfer. */
  readonly logIndex?: number | null;
  /** The chain of the transfer; optional like `logIndex`. */
  readonly chainId?: number | null;
  readonly receiptId: string;
  /** US dollars per whole token, as decimal text, for a transfer whose rate is unknown. */
  readonly usdPerToken?: string | null;
  /** The admin's wallet. */
  readonly by: Wallet;
}

type AssignDeps = DecidingDeps & { readonly readRate: ReadRate };

/**
 * Assigns an unmatched transfer to a receipt. It counts as if it had been matched: a sufficient amount moves the
 * receipt to `tx_mined` and, once confirmed, to `paid`; an insufficient one moves it to `tx_mismatch`. Refuses with
 * `not_found` for an unknown receipt or transfer, with `invalid_input` if the receipt does not wait for money or the
 * transfer is one of several or marked for refund, and with `exchange_rate_unavailable` if its value is unknown and no
 * rate is stated. A stated rate never replaces a known one (`invalid_input`); history and audit log record it.
 */
export async function assignTransfer(deps: AssignDeps, assignment: Assignment): Promise<Receipt> {
  const { merchant, receiptId, by } = assignment;
  return deps.db.transaction(async (uow) => {
    const { receipt, transfer, ...price } = await judge(deps, uow, assignment);
    const { isRateStated, usdPerUnit } = price;
    await creditTransfer(deps, uow, receipt, transfer, {
      ...price,
      linkedBy: 'assignment',
      assignedBy: `wallet:${by}`,
    });
    await recordAudit(deps, uow, merchant, 'payment.assigned', ['receipt', receiptId], {
      after: { ...auditedTransfer(transfer), ...(isRateStated && { usdPerUnit }) },
    });
    uow.afterCommit(() => deps.bus.publish(HINT_CHANNEL, transfer.transactionHash));
    return receipt;
  });
}

/** What an assignment would do. US dollars as decimal text. */
export interface AssignmentPreview {
  /** The status of the receipt afterwards. */
  readonly to: ReceiptStatus;
  readonly totalCents: number;
  /** What the transfer counts for. */
  readonly countsUsd: string;
  /** What is received for the receipt before and afterwards. */
  readonly beforeUsd: string;
  readonly receivedUsd: string;
  readonly missingUsd: string;
  readonly surplusUsd: string;
}

/** What `assignTransfer` would do, which changes nothing. Refuses what that would refuse. */
export function previewAssignment(deps: AssignDeps, assignment: Omit<Assignment, 'by'>): Promise<AssignmentPreview> {
  return deps.db.transaction(async (uow) => {
    const { receipt, transfer, ...price } = await judge(deps, uow, assignment);
    const { usd } = linkTo(receipt, transfer, price);
    const before = await readCredits(uow, receipt);
    const { to, balance } = weigh(receipt, [...before, { ...transfer, usd }], transfer);
    const beforeUsd = before.reduce((sum, credit) => sum.plus(credit.usd), new Big(0));
    return {
      to: to ?? receipt.status,
      totalCents: receipt.totalCents,
      countsUsd: usd,
      beforeUsd: beforeUsd.toFixed(),
      receivedUsd: beforeUsd.plus(usd).toFixed(),
      missingUsd: balance.missingUsd,
      surplusUsd: balance.surplusUsd,
    };
  });
}

/** Locks what an assignment is about, and finds the rate at which the transfer counts. */
async function judge(
  deps: AssignDeps,
  uow: UnitOfWork,
  { receiptId, usdPerToken: stated, ...name }: Omit<Assignment, 'by'>,
) {
  const receipt = await lockReceiptOrRefuse(uow, name.merchant, receiptId);
  const transfer = await lockUnmatched(uow, name);
  if (transfer.refundMarkedAt !== null) {
    throw refuse('invalid_input', 'This transfer is marked for refund: remove the mark first', {
      field: 'transactionHash',
      reason: 'marked_for_return',
    });
  }
  if (!isWaiting(receipt)) {
    throw refuse('invalid_input', `Receipt ${receiptId} is ${receipt.status} and does not wait for a payment`, {
      field: 'receiptId',
      reason: 'takes_no_payment',
    });
  }
  const token = tokenOn(deps, transfer.chainId, transfer.token);
  if (!token) throw refuse('exchange_rate_unavailable');
  const held = rateFor(await quoteAt(uow, receipt, transfer), transfer.blockTimeMs, null);
  const known = held ?? (await rateAt(deps.readRate, token, transfer.blockTimeMs));
  if (known !== null && stated != null)
    throw refuse('invalid_input', `The rate of this transfer is known: ${known}`, {
      field: 'usdPerToken',
      reason: 'rate_known',
    });
  const usdPerUnit = known ?? stated;
  if (usdPerUnit == null)
    throw refuse('exchange_rate_unavailable', `No exchange rate for ${token.symbol} at the time of this transfer`);
  return { receipt, transfer, token, usdPerUnit, isRateStated: known === null };
}
