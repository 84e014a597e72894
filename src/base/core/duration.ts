const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `30m`, `12h` or `7d` in milliseconds. Throws an error with the expected form. */
export function parseDurationMs(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new Error('must be a duration such as 90s, 30m, 12h or 7d');
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
