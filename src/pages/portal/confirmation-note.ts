import type { Progress } from '../../payments/confirmations.ts';

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
export const expectedTime = ({ expectedConfirmationMs }: Pick<Progress, 'expectedConfirmationMs'>): string =>
  `Usually confirmed within ${atMost(expectedConfirmationMs)}.`;

/** A duration in ms for people, rounded up: `30 seconds`. */
function atMost(ms: number): string {
  if (ms < 10_000) return 'a few seconds';
  if (ms <= 50_000) return `${Math.ceil(ms / 10_000) * 10} seconds`;
  const minutes = Math.ceil(ms / 60_000);
  return `${minutes} minute${minutes === 1 ? '' : 's'}`;
}

/** A duration in ms for people: `about 2 minutes`. */
function aboutTime(ms: number): string {
  if (ms < 10_000) return 'a few seconds';
  if (ms < 55_000) return `about ${Math.round(ms / 10_000) * 10} seconds`;
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return `about ${minutes} minute${minutes === 1 ? '' : 's'}`;
}
