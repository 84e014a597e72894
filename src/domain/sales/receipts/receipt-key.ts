import type { Wallet } from '../../../base/core/wallet.ts';

/** Identifies a receipt. */
export interface ReceiptKey {
  readonly merchant: Wallet;
  readonly receiptId: string;
}
