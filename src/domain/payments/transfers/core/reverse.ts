import { realHash, realSender } from '../../../../base/core/coin-place.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { holdsMoney, isPartPaid } from '../../../sales/receipts/ended.ts';
import type { ReceiptStatus } from '../../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../../sales/receipts/receipt.entity.ts';
import type { TransferRow } from './transfer-row.ts';
import { type Balance, type CreditedTransfer, computeBalance, type Due, largestCredit } from './weigh.ts';

/** In these statuses a receipt keeps its status and payment when the payment's block is removed by a reorganisation. */
const FINAL: readonly ReceiptStatus[] = ['paid', 'completed', 'refunded'];

/** What follows for a receipt when a transfer that pays it lost its block. */
export interface Reversal {
  /**
   * Whether it keeps its status and its link to the transfer; otherwise it returns to its state without the transfer.
   */
  readonly isKept: boolean;
  /** Whether a payment that counted as final was lost, which needs the operator. */
  readonly isAlarming: boolean;
}

/**
 * Decides by the receipt's status, not by the transfer's confirmation: a payment that was final may return in another
 * block and be lost again before it is confirmed there.
 */
export function decideReversal(
  receipt: Pick<Receipt, 'status'>,
  { confirmedAt }: Pick<TransferRow, 'confirmedAt'>,
): Reversal {
  const isKept = FINAL.includes(receipt.status);
  return { isKept, isAlarming: isKept || confirmedAt !== null };
}

/** The fields of a receipt that describe its payment. */
type PaymentFields = Pick<Receipt, 'transactionHash' | 'transactionTimestamp' | 'paymentChainId' | 'buyerWallet'> &
  Partial<Pick<Receipt, 'paidToken' | 'paidAmount' | 'acceptedUsd'>>;

/** The payment that a receipt names, by its largest credit; null without one. */
export const paymentNamedBy = (
  credit: Pick<CreditedTransfer, 'transactionHash' | 'blockTimeMs' | 'chainId'> | null,
): Pick<PaymentFields, 'transactionHash' | 'transactionTimestamp' | 'paymentChainId'> => ({
  transactionHash: credit && realHash(credit.transactionHash),
  transactionTimestamp: credit?.blockTimeMs ?? null,
  paymentChainId: credit?.chainId ?? null,
});

/** The buyer that a credit names; null if its sender is unknown. */
export const buyerOf = (credit: Pick<CreditedTransfer, 'sender'> | null): Wallet | null =>
  credit && realSender(credit.sender);

/** A receipt's state without a transfer that it had counted. */
export interface Fallback {
  readonly fields: PaymentFields;
  readonly balance: Balance;
  /** Null if its status stays. */
  readonly to: ReceiptStatus | null;
}

/**
 * The state of a receipt from its remaining credits, in chain order. One that has ended stays so, and names its lost
 * payment no more. Null if nothing of the receipt followed from its credits.
 */
export function fallBack(
  receipt: Due & Pick<Receipt, 'status' | 'origin' | 'buyerWallet' | 'transactionTimestamp'>,
  credits: readonly CreditedTransfer[],
): Fallback | null {
  const hasFollowed = receipt.status === 'tx_mined' || isPartPaid(receipt);
  if (!hasFollowed && !holdsMoney(receipt)) return null;
  const balance = computeBalance(receipt, credits);
  const largest = largestCredit(receipt, credits);
  const to = balance.covered ? 'tx_mined' : largest ? 'tx_mismatch' : 'pending';
  return {
    balance,
    to: !hasFollowed || to === receipt.status ? null : to,
    fields: {
      ...paymentNamedBy(largest ?? null),
      // The buyer of a charge is known without its payment.
      buyerWallet: receipt.origin === 'charge' ? receipt.buyerWallet : buyerOf(largest ?? null),
      // What the merchant accepted was missing from other credits than those that remain.
      ...(!balance.covered && { paidToken: null, paidAmount: null, acceptedUsd: null }),
    },
  };
}
