import { decodeFunctionData, erc20Abi, type Hex } from 'viem';
import type { Token } from '../../../../base/chain/token.ts';
import type { TransactionReading } from '../../../../base/chain/transfers.ts';
import { parseWallet, type Wallet } from '../../../../base/core/wallet.ts';
import { type Endable, isPartPaid } from '../../../sales/receipts/ended.ts';
import type { FailureCode } from '../../../sales/receipts/failures.ts';

/** The transfer encoded in a transaction's call data. */
export interface IntendedTransfer {
  /** The token's contract; null for the chain's native coin. */
  readonly contract: Wallet | null;
  readonly to: Wallet;
  /** Base units. */
  readonly value: bigint;
}

/**
 * Decodes a plain transfer of the native coin, and `transfer` and `transferFrom` of an ERC-20; null for any other call.
 */
export function readIntent(contract: Wallet | null, input: Hex | null, sent = 0n): IntendedTransfer | null {
  if (contract === null || input === null) return null;
  if (input === '0x') return sent > 0n ? { contract: null, to: contract, value: sent } : null;
  try {
    const call = decodeFunctionData({ abi: erc20Abi, data: input });
    if (call.functionName !== 'transfer' && call.functionName !== 'transferFrom') return null;
    const [recipient, value] = call.functionName === 'transfer' ? call.args : [call.args[1], call.args[2]];
    const to = parseWallet(recipient);
    return to && { contract, to, value };
  } catch {
    return null;
  }
}

/** A transaction that was meant to pay a receipt, and its outcome. */
export interface Attempt {
  /** A receipt that waits for money. */
  readonly receipt: Pick<Endable, 'status' | 'transactionTimestamp'>;
  readonly outcome: TransactionReading['status'];
  readonly intent: IntendedTransfer;
  /** The receipt's addresses. */
  readonly addresses: readonly Wallet[];
  readonly tokens: readonly Pick<Token, 'address'>[];
}

/** What follows for the receipt. */
export type AttemptDecision =
  | { readonly to: 'failed'; readonly failureCode: FailureCode }
  | { readonly to: 'tx_mismatch'; readonly reason: 'wrong_token' };

/**
 * Decides about a transaction that was to pay the receipt at one of its addresses and did not. A reverted one fails the
 * receipt; one in a token that is not accepted is a mismatch. Null: the receipt stays as it is.
 */
export function judgeAttempt({ receipt, outcome, intent, addresses, tokens }: Attempt): AttemptDecision | null {
  if (!addresses.includes(intent.to)) return null;
  const isAccepted = tokens.some(({ address }) => address === intent.contract);
  if (outcome === 'reverted' && isAccepted && !isPartPaid(receipt))
    return { to: 'failed', failureCode: 'PORTAL_CHAIN_TX_REVERTED' };
  return outcome === 'success' && !isAccepted ? { to: 'tx_mismatch', reason: 'wrong_token' } : null;
}
