import type { Wallet } from './wallet.ts';

/** A receipt that is asked about. */
export interface AwaitingReceipt {
  readonly merchant: Wallet;
  readonly id: string;
}

/**
 * What is on its way to a receipt. `card`: a card was charged. `authorization`: a signed transfer was sent. `charge`: a
 * recurring charge was sent. `payment`: the payment was seen in a block. `transaction`: a transaction was submitted and
 * is not found yet.
 */
export type OnItsWayKind = 'card' | 'authorization' | 'charge' | 'payment' | 'transaction';

/** Money that will pay a receipt, unless it fails. */
export interface OnItsWay {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly kind: OnItsWayKind;
  /**
   * It should have arrived by now, and nothing waits for it any more. It still keeps time from ending its receipt, so
   * that it pays when it arrives.
   */
  readonly isOverdue: boolean;
}
