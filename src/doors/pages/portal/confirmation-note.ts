import type Big from 'big.js';
import type { Words } from '../../../base/core/messages/fill.ts';
import type { Progress } from '../../../domain/payments/watching/confirmations.ts';
import { formatCents } from '../shared/amounts.ts';

type Say = Words<'order'>;
type Expected = Pick<Progress, 'expectedConfirmationMs'>;

/** Tells the buyer how long the confirmation of the payment usually takes. */
export function confirmationNote(
  say: Say,
  { confirmationTag: tag, expectedConfirmationMs }: Expected & Pick<Progress, 'confirmationTag'>,
): string {
  const takes = say('takes', { time: aboutTime(say, expectedConfirmationMs) });
  return tag === null ? takes : `${say('tag', { tag })} ${takes}`;
}

/** Tells the buyer before the payment how long its confirmation will take: `Usually confirmed within 30 seconds.` */
export const expectedTime = (say: Say, { expectedConfirmationMs }: Expected): string =>
  say('within', { time: atMost(say, expectedConfirmationMs) });

/**
 * What a choice of network means: its fee, and its time if that is more than a few seconds: `under 1¢`,
 * `15 minutes · $1.24`.
 */
export function choiceNote(say: Say, { expectedConfirmationMs }: Expected, fee: Big | null): string {
  const cost = fee === null ? [] : [fee.lt('0.01') ? say('fee.cent') : inDollars(say, fee)];
  const time = isBrief(expectedConfirmationMs) ? [] : [atMost(say, expectedConfirmationMs)];
  return [...time, ...cost].join(' · ');
}

/** Tells the buyer what the network takes for the payment: `The network takes about $0.02.` */
export const feeNote = (say: Say, fee: Big): string =>
  fee.lt('0.01') ? say('fee.less') : say('fee.about', { usd: inDollars(say, fee) });

const inDollars = ({ language }: Say, usd: Big): string =>
  formatCents(Number(usd.times(100).toFixed(0)), 'USD', language);

const isBrief = (ms: number): boolean => ms < 10_000;

/** A duration in ms for people, rounded up: `30 seconds`. */
function atMost(say: Say, ms: number): string {
  if (isBrief(ms)) return say('few');
  if (ms <= 50_000) return say('seconds', { n: Math.ceil(ms / 10_000) * 10 });
  return say('minutes', { n: Math.ceil(ms / 60_000) });
}

/** A duration in ms for people: `about 2 minutes`. */
function aboutTime(say: Say, ms: number): string {
  if (isBrief(ms)) return say('few');
  if (ms < 55_000) return say('about', { time: say('seconds', { n: Math.round(ms / 10_000) * 10 }) });
  return say('about', { time: say('minutes', { n: Math.max(1, Math.round(ms / 60_000)) }) });
}
