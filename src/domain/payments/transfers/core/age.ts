import type { Receipt } from '../../../sales/receipts/receipt.entity.ts';

/** What was known of the chains when a receipt was created. */
export type CreatedAt = Partial<Pick<Receipt, 'createdBlock' | 'createdChainId' | 'createdHeads'>>;

/** Other blocks have replaced the ones above `fork`, up to `head`. */
export interface Reorganization {
  readonly fork: number;
  readonly head: number;
}

/** The head of a chain when the receipt was created; null if it was not known. */
export const headAtCreation = (
  { createdBlock = null, createdChainId = null, createdHeads = null }: CreatedAt,
  chainId: number,
): number | null => (createdChainId === chainId ? createdBlock : (createdHeads?.[chainId] ?? null));

/**
 * Whether a block is older than a head that was recorded earlier, by heights: the clocks of chains and servers may
 * differ. On another branch a later block may have a lower number than that head. So a head that may have been among
 * replaced blocks counts as the block below them. Undefined if that matters and the reorganizations are unknown.
 */
export function isOlder(
  block: number,
  head: number | null,
  reorganizations: readonly Reorganization[] | undefined,
): boolean | undefined {
  if (head === null || block >= head) return false;
  return reorganizations && block < lasting(head, reorganizations);
}

/** The newest block that a recorded head and every branch since then have in common. */
function lasting(head: number, reorganizations: readonly Reorganization[]): number {
  const replaced = reorganizations.filter((one) => one.fork < head && head <= one.head);
  if (replaced.length === 0) return head;
  return lasting(Math.min(...replaced.map(({ fork }) => fork)), reorganizations);
}
