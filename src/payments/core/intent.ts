import type { Token } from '../../chain/token.ts';
import type { TransactionReading } from '../../chain/transfers.ts';
import type { Wallet } from '../../core/wallet.ts';
import { type Endable, isPartPaid } from '../../receipts/ended.ts';
import type { FailureCode } from '../../receipts/failures.ts';
import type { IntendedTransfer } from './calldata.ts';

/** A quote of the receipt with the amount of the intended transfer. */
interface IntendedQuote {
  readonly token: string;
  readonly payTo: Wallet;
}

/** A transaction that was meant to pay a receipt, and its outcome. */
export interface Attempt {
  /** A receipt that waits for money. */
  readonly receipt: Pick<Endable, 'status' | 'transactionTimestamp'>;
  readonly outcome: TransactionReading['status'];
  readonly intent: IntendedTransfer;
  readonly quotes: readonly IntendedQuote[];
  readonly tokens: readonly Pick<Token, 'symbol' | 'address'>[];
}

/** What follows for the receipt. */
export type AttemptDecision =
  | { readonly to: 'failed'; readonly failureCode: FailureCode }
  | { readonly to: 'tx_mismatch'; readonly reason: 'wrong_token' | 'wrong_recipient' };

/**
 * Decides about a transaction that was meant to pay the receipt and did not. A reverted one fails the receipt; one in
 * another token or to another address is a mismatch. Its intent must equal a quote of this receipt. Null: the receipt
 * stays as it is.
 */
export function judgeAttempt({ receipt, outcome, intent, quotes, tokens }: Attempt): AttemptDecision | null {
  const meaning = meaningOf(intent, quotes, tokens);
  if (outcome === 'reverted' && meaning === 'payment' && !isPartPaid(receipt))
    return { to: 'failed', failureCode: 'PORTAL_CHAIN_TX_REVERTED' };
  if (outcome === 'success' && (meaning === 'wrong_token' || meaning === 'wrong_recipient'))
    return { to: 'tx_mismatch', reason: meaning };
  return null;
}

function meaningOf(
  intent: IntendedTransfer,
  quotes: Attempt['quotes'],
  tokens: Attempt['tokens'],
): 'payment' | 'wrong_token' | 'wrong_recipient' | null {
  for (const { token, payTo } of quotes) {
    const isRightToken = tokens.find(({ symbol }) => symbol === token)?.address === intent.contract;
    if (isRightToken) return payTo === intent.to ? 'payment' : 'wrong_recipient';
    if (payTo === intent.to) return 'wrong_token';
  }
  return null;
}
