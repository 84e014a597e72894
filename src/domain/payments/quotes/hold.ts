import type { QuoteRow } from './quote.entity.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long a quote holds: in a token that counts as dollars, and in one with a market price. */
const PAR_MS = DAY_MS;
const PRICED_MS = 15 * MINUTE_MS;

/** How much earlier than the server's clock the time of a block may be. */
export const CLOCK_TOLERANCE_MS = 15_000;

/** A request so soon after the last one is not recorded, so that repeated requests do not write. */
const REPEAT_MS = MINUTE_MS;

interface HoldTerms {
  readonly atPar: boolean;
  readonly now: number;
  /** When the receipt ends; null or undefined if never. */
  readonly receiptEndsAt: number | null | undefined;
}

/**
 * When a quote that is made at `now` ends, in epoch ms. A quote does not outlast its receipt, except for the rest of a
 * payment that arrived before the end.
 */
export function holdUntil({ atPar, now, receiptEndsAt }: HoldTerms): number {
  const until = now + (atPar ? PAR_MS : PRICED_MS);
  return receiptEndsAt == null || receiptEndsAt <= now ? until : Math.min(until, receiptEndsAt);
}

/** Whether a request at `now` only repeats one that was recorded. */
export const isRepeated = ({ seenAt }: Pick<QuoteRow, 'seenAt'>, now: number): boolean =>
  seenAt !== null && now - seenAt < REPEAT_MS;
