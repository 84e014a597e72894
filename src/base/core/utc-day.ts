import { numberMemo } from './caches.ts';

export const DAY_MS = 86_400_000;

/** The UTC date of a day since 1970-01-01, as `2026-11-22`. An answer of statistics has hundreds of them. */
export const textOfDay = numberMemo((day) => new Date(day * DAY_MS).toISOString().split('T', 1)[0]!);
