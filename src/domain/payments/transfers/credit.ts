import type { Token } from '../../../base/chain/token.ts';
import { toDecimal } from '../../../base/chain/tokens.ts';
import { realHash } from '../../../base/core/coin-place.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { ACCEPTED_NOTE, type AcceptedDifference } from '../../sales/receipts/accepted-note.ts';
import { isVoided, VOIDED } from '../../sales/receipts/ended.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { type Change, recordChange } from '../../sales/receipts/record-change.ts';
import { readPaymentTerms } from '../../shop/merchants/payment-terms.ts';
import { buyerOf, fallBack, paymentNamedBy } from './core/reverse.ts';
import type { TransferRow } from './core/transfer-row.ts';
import {
  type Balance,
  type CreditedTransfer,
  type CreditTerms,
  changesTo,
  computeBalance,
  decisiveCredit,
  differenceOf,
  isTolerated,
  largestCredit,
  linkTo,
  mayBeTolerated,
  weigh,
} from './core/weigh.ts';
import { linkTransfer, readCredits, resetConfirmations } from './transfers.ts';

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
  await linkTransfer(uow, transfer, linkTo(receipt, transfer, terms), isVoided(receipt));
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
    await recordChange(
      deps,
      uow,
      receipt,
      { kind: 'note', name: DUST_NOTE },
      { actor: terms.assignedBy ?? 'chain', detail },
    );
    return;
  }
  const largest = largestCredit(receipt, credits) ?? null;
  Object.assign(receipt, paymentNamedBy(largest));
  // The buyer of a charge is known without its payment.
  if (receipt.origin !== 'charge') receipt.buyerWallet = buyerOf(largest);
  if (paid) Object.assign(receipt, paid);
  await moveByChain(deps, uow, receipt, to, detail, { actor: terms.assignedBy });
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

/** Who took a transfer from a receipt, and what the history says of it. */
interface TakenBack {
  readonly actor: string;
  /** The name of the note where the status stays. */
  readonly note: string;
  readonly detail: Record<string, unknown>;
  /** Whether the receipt was voided before the transfer, and is ended again unless the others pay it. */
  readonly wasVoided?: boolean;
}

/** The reverse of `creditTransfer`, after an unlink: sets the receipt's state from its remaining transfers. */
export async function returnToCredits(
  deps: CreditDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  { actor, note, detail, wasVoided = false }: TakenBack,
): Promise<void> {
  const fallback = fallBack(receipt, await readCredits(uow, receipt));
  if (fallback === null) {
    // Its status did not follow from this money: it has ended, or the money was dust.
    await recordChange(deps, uow, receipt, { kind: 'note', name: note }, { actor, detail });
    return;
  }
  const { fields, balance, to } = fallback;
  Object.assign(receipt, fields);
  // All remaining transfers may have been confirmed while this one was not.
  if (balance.covered) await resetConfirmations(uow, receipt);
  if (wasVoided && !balance.covered) {
    Object.assign(receipt, { failureCode: VOIDED, closedAt: deps.clock() });
    const ended = { ...detail, failureCode: VOIDED };
    return recordChange(deps, uow, receipt, { kind: 'status', to: 'failed' }, { actor, detail: ended });
  }
  const change: Change = to === null ? { kind: 'note', name: note } : { kind: 'status', to };
  await recordChange(deps, uow, receipt, change, { actor, detail: { ...detail, ...describeBalance(balance) } });
}

/** Moves a receipt to a status that the chain shows; see `changesTo`. */
export async function moveByChain(
  deps: CreditDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  to: ReceiptStatus,
  detail: Record<string, unknown>,
  {
    actor = 'chain',
    failureCode = null,
  }: { readonly actor?: string | undefined; readonly failureCode?: FailureCode | null } = {},
): Promise<void> {
  const changes = changesTo(receipt.status, to);
  for (const [i, change] of changes.entries()) {
    const isLast = i === changes.length - 1;
    if (isLast && failureCode !== null) receipt.failureCode = failureCode;
    await recordChange(deps, uow, receipt, change, { actor, ...(isLast && { detail }) });
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
