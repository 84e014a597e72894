import { EXPECTED_MS } from '../../quotes/hold.ts';
import type { QuoteRow } from '../../quotes/quote.entity.ts';

/** The receipts that held an amount before without paying, and when its present holder asked for it. */
export type Holding = Pick<QuoteRow, 'earlier' | 'seenAt' | 'seenFrom'>;

/** How much earlier than the server's clock the time of a block may be. */
const CLOCK_TOLERANCE_MS = 15_000;

/**
 * Whether a transfer of exactly this amount can only be meant for its holder. An amount that an unpaid receipt held
 * before may be paid by that receipt's buyer, at any time. It counts for the present holder only if the holder asked
 * for it within the hour before the block.
 */
export function isCertain({ earlier, seenAt, seenFrom }: Holding, blockTimeMs: number): boolean {
  if (earlier.length === 0) return true;
  if (seenAt === null || seenFrom === null) return false;
  return seenFrom - CLOCK_TOLERANCE_MS <= blockTimeMs && blockTimeMs <= seenAt + EXPECTED_MS;
}
