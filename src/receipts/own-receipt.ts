import { type Caller, merchantOf } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';

/** The one receipt a caller names: one of its merchant's; a buyer's page has just its own. Refuses any other with `forbidden`. */
export function ownReceipt(caller: Caller, receiptId: string): { merchant: Wallet; receiptId: string } {
  if (caller.kind === 'buyer' && caller.receiptId !== receiptId) {
    throw refuse('forbidden', 'This page is about another receipt');
  }
  return { merchant: merchantOf(caller), receiptId };
}
