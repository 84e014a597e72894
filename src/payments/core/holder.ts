import { CLOCK_TOLERANCE_MS } from '../../quotes/hold.ts';
import type { QuoteRow } from '../../quotes/quote.entity.ts';
import type { Hint } from './hint.ts';

/** Since when an amount has its present holder, and the receipts that held it before without paying. */
export type Holding = Pick<QuoteRow, 'earlier' | 'createdAt'>;

/**
 * Whether a transfer of exactly this amount can only be meant for its holder. An amount that an unpaid receipt held
 * before may be paid by that receipt's buyer, at any time.
 */
export const isCertain = ({ earlier }: Pick<Holding, 'earlier'>): boolean => earlier.length === 0;

/** From which time of its block on a transfer may be the present holder's: the holder was not asked for it before. */
export const mayBePaidFrom = ({ createdAt }: Pick<Holding, 'createdAt'>): number => createdAt - CLOCK_TOLERANCE_MS;

/**
 * Whether the buyer of the present holder says that a transfer is theirs, and no one contradicts. The hint may be
 * unsigned: the page sends it after its wallet has paid, or when the buyer confirms the payment. A hint of an earlier
 * holder contradicts, and so does one that the sender has signed or a card provider vouches for.
 */
export function isClaimed(
  hints: readonly Hint[],
  holding: Holding,
  { receiptId, blockTimeMs }: { readonly receiptId: string; readonly blockTimeMs: number },
): boolean {
  if (blockTimeMs < mayBePaidFrom(holding)) return false;
  const isOwn = (hint: Hint) => hint.receiptId === receiptId;
  const contradicts = (hint: Hint) =>
    !isOwn(hint) && (hint.signed || hint.vouched || holding.earlier.includes(hint.receiptId));
  return hints.some(isOwn) && !hints.some(contradicts);
}
