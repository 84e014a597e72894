import type { Token } from '../../../base/chain/token.ts';
import { toDecimal } from '../../../base/chain/tokens.ts';
import { realHash } from '../../../base/core/coin-place.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { ACCEPTED_NOTE, type AcceptedDifference } from '../../sales/receipts/accepted-note.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { recordChange } from '../../sales/receipts/record-change.ts';
import { readPaymentTerms } from '../../shop/merchants/payment-terms.ts';
import { buyerOf, paymentNamedBy } from './core/reverse.ts';
import { differenceOf, isTolerated, mayBeTolerated } from './core/tolerance.ts';
import type { TransferRow } from './core/transfer-row.ts';
import {
  type Balance,
  type CreditedTransfer,
  type CreditTerms,
  changesTo,
  computeBalance,
  decisiveCredit,
  largestCredit,
  linkTo,
  weigh,
} from './core/weigh.ts';
import { linkTransfer, readCredits } from './transfers.ts';

/** The note on a receipt for which nothing but dust has arrived. */
export const DUST_NOTE = 'dust_received';

export type CreditDeps = AnnouncingDeps;

/**
 * Counts a transfer for a locked receipt that waits for money. A sufficient amount moves the receipt to `tx_mined`; an
 * insufficient one moves it to `tx_mismatch` and records what is missing, unless the merchant's tolerance accepts it.
 * Dust is counted and noted, and moves nothing.
 * The receipt must be `generated`, `pending`, `tx_mismatch` or `failed`.
 */
export async function creditTransfer(
  deps: CreditDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  transfer: TransferRow,
  terms: CreditTerms,
): Promise<void> {
  await linkTransfer(uow, transfer, linkTo(receipt, transfer, terms));
  const credits = await readCredits(uow, receipt);
  const accepted = await acceptWithin(uow, receipt, credits, terms);
  const { to, balance, paid } = weigh(receipt, credits, transfer);
  const detail = {
    ...describeTransfer(transfer, terms.token),
    ...describeBalance(balance),
    ...(terms.assignedBy === undefined ? {} : { assignedBy: terms.assignedBy }),
    ...(terms.isRateStated && { statedUsdPerToken: terms.usdPerUnit }),
    ...(terms.isLate && { late: true }),
  };
  if (to === null) {
    await recordChange(deps, uow, receipt, { kind: 'note', name: DUST_NOTE }, { actor: 'chain', detail });
    return;
  }
  const largest = largestCredit(receipt, credits) ?? null;
  Object.assign(receipt, paymentNamedBy(largest));
  // The buyer of a charge is known without its payment.
  if (receipt.origin !== 'charge') receipt.buyerWallet = buyerOf(largest);
  if (paid) Object.assign(receipt, paid);
  await moveByChain(deps, uow, receipt, to, detail);
  if (accepted) {
    const note = { kind: 'note', name: ACCEPTED_NOTE } as const;
    await recordChange(deps, uow, receipt, note, { actor: 'tolerance', detail: { ...accepted } });
  }
}

/** Accepts what is missing of the total if the merchant tolerates it. Null if it does not, or nothing is missing. */
async function acceptWithin(
  uow: UnitOfWork,
  receipt: Receipt,
  credits: readonly CreditedTransfer[],
  { linkedBy }: CreditTerms,
): Promise<AcceptedDifference | null> {
  if (!mayBeTolerated(linkedBy) || computeBalance(receipt, credits).covered) return null;
  if (!decisiveCredit(receipt, credits)) return null;
  const difference = differenceOf(receipt, credits);
  if (!isTolerated(difference, await readPaymentTerms(uow, receipt.merchant))) return null;
  receipt.acceptedUsd = difference.missingUsd;
  return difference;
}

/** Moves a receipt to a status that the chain shows; see `changesTo`. */
export async function moveByChain(
  deps: CreditDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  to: ReceiptStatus,
  detail: Record<string, unknown>,
  failureCode: FailureCode | null = null,
): Promise<void> {
  const changes = changesTo(receipt.status, to);
  for (const [i, change] of changes.entries()) {
    const isLast = i === changes.length - 1;
    if (isLast && failureCode !== null) receipt.failureCode = failureCode;
    await recordChange(deps, uow, receipt, change, { actor: 'chain', ...(isLast && { detail }) });
  }
}

/** A transfer for the history. */
export const describeTransfer = (transfer: TransferRow, token: Pick<Token, 'decimals'> | undefined) => ({
  transactionHash: realHash(transfer.transactionHash),
  blockNumber: transfer.blockNumber,
  token: transfer.token,
  amount: transfer.amount,
  ...(token && { display: toDecimal(BigInt(transfer.amount), token.decimals) }),
});

/** The missing amount or the surplus, if any. */
export const describeBalance = ({ missingUsd, surplusUsd }: Balance) => ({
  ...(missingUsd === '0' ? {} : { missingUsd }),
  ...(surplusUsd === '0' ? {} : { surplusUsd }),
});
