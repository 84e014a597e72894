import type { Wallet } from '../../../base/core/wallet.ts';

/** A range of transactions of a merchant, without the first and with the last. Every transaction in it has ended. */
export interface FoldRange {
  readonly merchant: Wallet;
  readonly after: string;
  readonly through: string;
}
