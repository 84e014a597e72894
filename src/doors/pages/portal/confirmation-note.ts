import type Big from 'big.js';
import type { Progress } from '../../../domain/payments/watching/confirmations.ts';

type Expected = Pick<Progress, 'expectedConfirmationMs'>;

const NOTHING_LEFT = 'There is nothing left for you to do. You can close this page.';

/** Tells the buyer how long the confirmation of the payment usually takes. */
export function confirmationNote({
  confirmationTag,
  expectedConfirmationMs,
}: Pick<Progress, 'confirmationTag' | 'expectedConfirmationMs'>): string {
  const wait =
    confirmationTag === null ? '' : `The shop waits until the network calls the payment ${confirmationTag}. `;
  return `${wait}This usually takes ${aboutTime(expectedConfirmationMs)}. ${NOTHING_LEFT}`;
}

/** Tells the buyer before the payment how long its confirmation will take: `Usually confirmed within 30 seconds.` */
export const expectedTime = ({ expectedConfirmationMs }: Expected): string =>
  `Usually confirmed within ${atMost(expectedConfirmationMs)}.`;

/**
 * What a choice of network means: its fee, and its time if that is more than a few seconds: `under 1¢`,
 * `15 minutes · $1.24`.
 */
export function choiceNote({ expectedConfirmationMs }: Expected, fee: Big | null): string {
  const cost = fee === null ? [] : [fee.lt('0.01') ? 'under 1¢' : `$${fee.toFixed(2)}`];
  const time = isBrief(expectedConfirmationMs) ? [] : [atMost(expectedConfirmationMs)];
  return [...time, ...cost].join(' · ');
}

/** Tells the buyer what the network takes for the payment: `The network takes about $0.02.` */
export const feeNote = (usd: Big): string =>
  usd.lt('0.01') ? 'The network takes less than a cent.' : `The network takes about $${usd.toFixed(2)}.`;

const isBrief = (ms: number): boolean => ms < 10_000;

/** A duration in ms for people, rounded up: `30 seconds`. */
function atMost(ms: number): string {
  if (isBrief(ms)) return 'a few seconds';
  if (ms <= 50_000) return `${Math.ceil(ms / 10_000) * 10} seconds`;
  const minutes = Math.ceil(ms / 60_000);
  return `${minutes} minute${minutes === 1 ? '' : 's'}`;
}

/** A duration in ms for people: `about 2 minutes`. */
function aboutTime(ms: number): string {
  if (isBrief(ms)) return 'a few seconds';
  if (ms < 55_000) return `about ${Math.round(ms / 10_000) * 10} seconds`;
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return `about ${minutes} minute${minutes === 1 ? '' : 's'}`;
}
