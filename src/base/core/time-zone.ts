import { numberMemo } from './caches.ts';

/**
 * The name of a time zone as its database spells it, in any letter case: `europe/berlin` is `Europe/Berlin`. Null for
 * what is no such name; a bare offset such as `+01:00` has no daylight saving, and is none.
 */
export function timeZoneOf(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** How far the clocks of a zone are ahead of UTC. */
export interface ZoneOffset {
  readonly ms: number;
  /** `+01:00`. */
  readonly text: string;
}

export const DAY_MS = 86_400_000;

/** The offsets of a zone change at most at each quarter of an hour. */
const QUARTER_MS = 900_000;

const pad = (value: string): string => value.padStart(2, '0');

/** The offset of a zone at a time, epoch ms. */
export function offsetsOf(zone: string): (at: number) => ZoneOffset {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const offsetAt = numberMemo((quarter): ZoneOffset => {
    const part = format.formatToParts(quarter * QUARTER_MS).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d+):(\d+)/.exec(part) ?? [];
    return {
      ms: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000,
      text: `${sign}${pad(hours)}:${pad(minutes)}`,
    };
  });
  return (at) => offsetAt(Math.floor(at / QUARTER_MS));
}

/** The day of a zone at a time, epoch ms, as days since 1970-01-01. */
export const dayIn = (zone: string, at: number): number => Math.floor((at + offsetsOf(zone)(at).ms) / DAY_MS);

/** The time at which a day of a zone begins, epoch ms. Where midnight is skipped, the day begins an hour later. */
export function dayStart(zone: string, day: number): number {
  const offsetAt = offsetsOf(zone);
  const near = day * DAY_MS - offsetAt(day * DAY_MS).ms;
  const start = day * DAY_MS - offsetAt(near).ms;
  return Math.floor((start + offsetAt(start).ms) / DAY_MS) < day ? start + 4 * QUARTER_MS : start;
}

/** The years in which receipts are counted. */
const [FIRST, LAST] = [Date.UTC(2020), Date.UTC(2060)];

/** The offsets of a zone in ms, each with the time from which it holds; the first holds for all earlier times. */
export function clockChanges(zone: string): {
  readonly starts: readonly number[];
  readonly offsets: readonly number[];
} {
  const offsetAt = offsetsOf(zone);
  const starts = [0];
  const offsets = [offsetAt(FIRST).ms];
  for (let at = FIRST; at < LAST; at += DAY_MS) {
    const later = offsetAt(at + DAY_MS).ms;
    if (later === offsets.at(-1)) continue;
    let [before, after] = [at, at + DAY_MS];
    while (after - before > QUARTER_MS) {
      const middle = before + Math.floor((after - before) / 2 / QUARTER_MS) * QUARTER_MS;
      if (offsetAt(middle).ms === later) after = middle;
      else before = middle;
    }
    starts.push(after);
    offsets.push(later);
  }
  return { starts, offsets };
}

/** The UTC date of a day since 1970-01-01, as `2026-11-22`. An answer of statistics has hundreds of them. */
export const textOfDay = numberMemo((day) => new Date(day * DAY_MS).toISOString().split('T', 1)[0]!);
