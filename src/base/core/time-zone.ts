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
