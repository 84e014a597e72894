import { DAY_MS, offsetsOf, textOfDay, timeZoneOf } from '../../../base/core/time-zone.ts';

/** Whether this is a name of the time zone database, as in `Europe/Berlin`. */
export const isTimezone = (name: string): boolean => timeZoneOf(name) !== null;

const pad = (value: number): string => String(value).padStart(2, '0');
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => pad(value));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, value) => String(value).padStart(3, '0'));

/** `2026-11-22T13:00:00.000`, in a fifth of the time of `toISOString`. A row has four times. */
function clockText(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const ofDay = ms - day * DAY_MS;
  const seconds = Math.floor(ofDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const clock = `${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes - hours * 60]}:${TWO_DIGITS[seconds - minutes * 60]}`;
  return `${textOfDay(day)}T${clock}.${THREE_DIGITS[ofDay - seconds * 1_000]}`;
}

/**
 * Makes the writer of times of a zone, in ISO 8601: `2026-11-22T13:00:00.000Z` in UTC,
 * `2026-11-22T14:00:00.000+01:00` elsewhere. The offset is always written, so the hour that a clock shows twice in
 * autumn is not ambiguous.
 */
export function timeWriter(timezone: string): (ms: number) => string {
  if (timezone === 'UTC') return (ms) => `${clockText(ms)}Z`;
  const offsetAt = offsetsOf(timezone);
  return (ms) => {
    const offset = offsetAt(ms);
    return clockText(ms + offset.ms) + offset.text;
  };
}

/**
 * Makes the writer of times of a zone as spreadsheets read dates: `2026-11-22 14:00:00`. With an offset they read it as
 * a text. Without one, the hour that a clock shows twice in autumn is ambiguous.
 */
export function spreadsheetTimeWriter(timezone: string): (ms: number) => string {
  const offsetAt = offsetsOf(timezone);
  return (ms) =>
    clockText(ms + offsetAt(ms).ms)
      .slice(0, 19)
      .replace('T', ' ');
}

/** The forms of times in CSV. */
export const TIME_FORMS = ['iso', 'spreadsheet'] as const;
export type TimeForm = (typeof TIME_FORMS)[number];
