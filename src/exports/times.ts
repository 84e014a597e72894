/** The offsets of a zone change at most at each quarter of an hour. */
const QUARTER_MS = 900_000;
const KNOWN_MAX = 10_000;

/** A name of the time zone database, as in `Europe/Berlin`. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const pad = (value: number): string => String(value).padStart(2, '0');

/**
 * Makes the writer of times of a zone, in ISO 8601: `2026-11-22T13:00:00.000Z` in UTC,
 * `2026-11-22T14:00:00.000+01:00` elsewhere. The offset is always written, so the hour that a clock shows twice in
 * autumn is not ambiguous.
 */
export function timeWriter(timezone: string): (ms: number) => string {
  if (timezone === 'UTC') return (ms) => new Date(ms).toISOString();
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  const known = new Map<number, { readonly ms: number; readonly text: string }>();
  const offsetAt = (quarter: number) => {
    const found = known.get(quarter);
    if (found) return found;
    const part = format.formatToParts(quarter * QUARTER_MS).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d+):(\d+)/.exec(part) ?? [];
    const made = {
      ms: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000,
      text: `${sign}${pad(Number(hours))}:${pad(Number(minutes))}`,
    };
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(quarter, made);
    return made;
  };
  return (ms) => {
    const offset = offsetAt(Math.floor(ms / QUARTER_MS));
    return new Date(ms + offset.ms).toISOString().replace('Z', offset.text);
  };
}
