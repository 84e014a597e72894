/** The note on a receipt whose payment was accepted although something of the total is missing. */
export const ACCEPTED_NOTE = 'accepted_difference';

/** The detail of that note, in US dollars as decimal text: the total, what was received of it, and what is missing. */
export type AcceptedDifference = {
  readonly totalUsd: string;
  readonly receivedUsd: string;
  readonly missingUsd: string;
};
