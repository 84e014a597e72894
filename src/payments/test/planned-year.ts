import { seeded } from '../../../test/support/seeded.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Late payments come after five minutes to half a year; each factor of that range is as likely. */
const LATE_MIN_MS = 5 * MINUTE_MS;
const LATE_MAX_MS = 180 * DAY_MS;
/** The others come within half an hour, while the page is open. */
const IN_TIME_MS = 30 * MINUTE_MS;

/** A payment for a checkout. */
export interface Payment {
  /** The number of the checkout that it is meant for. */
  readonly payer: number;
  /** Epoch ms of its block. */
  readonly at: number;
  /** The checkout was abandoned: no one is at its page to confirm the payment. */
  readonly isLate: boolean;
}

/** What became of a payment. Receipts are numbers of checkouts. */
export interface Outcome extends Payment {
  /** Whether the buyer had to confirm it on the page. */
  readonly isAsked: boolean;
  readonly credited: number | null;
  readonly reason: string | null;
  /** The receipts that are named as candidates, if it was not credited. */
  readonly named: readonly number[];
}

interface Year {
  /** How many checkouts a day are abandoned, and how many are paid in time. */
  readonly abandoned: number;
  readonly paid: number;
  /** Of so many abandoned checkouts one is paid late. */
  readonly lateEvery: number;
  readonly seed: number;
}

/** The times of a year's checkouts, evenly spread, and the payments for some of them, both in order of time. */
export function planYear({ abandoned, paid, lateEvery, seed }: Year) {
  const random = seeded(seed);
  const start = Date.UTC(2030, 0, 1);
  const perDay = abandoned + paid;
  const checkouts = Array.from({ length: 365 * perDay }, (_, i) => start + Math.floor((i * DAY_MS) / perDay));
  let left = 0;
  const payments = checkouts
    .flatMap((at, payer): Payment[] => {
      if (((payer % perDay) * paid) % perDay < paid) {
        return [{ payer, at: at + Math.floor(random() * IN_TIME_MS), isLate: false }];
      }
      if (left++ % lateEvery !== 0) return [];
      const delay = LATE_MIN_MS * (LATE_MAX_MS / LATE_MIN_MS) ** random();
      return [{ payer, at: at + Math.floor(delay), isLate: true }];
    })
    .sort((a, b) => a.at - b.at);
  return { checkouts, payments };
}
