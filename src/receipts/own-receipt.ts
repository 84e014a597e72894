import { type Caller, merchantOf } from '../core/caller.ts';
import { forbid } from '../core/forbidden.ts';
import type { Wallet } from '../core/wallet.ts';

/**
 * The receipt that a caller names. A buyer's page may only name its own; any other receipt is refused with `forbidden`.
 */
export function ownReceipt(caller: Caller, receiptId: string): { merchant: Wallet; receiptId: string } {
  if (caller.kind === 'buyer' && caller.receiptId !== receiptId) {
    throw forbid('page_token_limited', 'This page is for another receipt');
  }
  return { merchant: merchantOf(caller), receiptId };
}
