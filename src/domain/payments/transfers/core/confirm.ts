import { type Depth, type FinalityTag, isTag } from '../../../../base/core/finality.ts';
import type { ReceiptStatus } from '../../../sales/receipts/lifecycle.ts';
import { type Balance, type CreditedTransfer, computeBalance, type Due } from './weigh.ts';

/** The newest block with each tag; null if it is unknown now. */
export type TaggedBlocks = Readonly<Record<FinalityTag, number | null>>;

/** Whether a block has a depth. A tag that is unknown now is never reached. */
export function isDeepEnough(
  blockNumber: number,
  depth: Depth,
  { head, tagged }: { readonly head: number; readonly tagged: TaggedBlocks },
): boolean {
  return blockNumber <= (isTag(depth) ? (tagged[depth] ?? Number.NEGATIVE_INFINITY) : head - depth);
}

/** Whether a confirmation may make a receipt paid, depending on its credits. */
export const awaitsConfirmations = ({ status }: { readonly status: ReceiptStatus }): boolean => status === 'tx_mined';

/**
 * The balance of a receipt in `tx_mined` that is paid, because all its credits are confirmed and cover it; null while
 * it waits.
 */
export function paidBalance(due: Due, credits: readonly CreditedTransfer[]): Balance | null {
  if (credits.some(({ confirmedAt }) => confirmedAt === null)) return null;
  const balance = computeBalance(due, credits);
  return balance.covered ? balance : null;
}
