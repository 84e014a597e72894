import { z } from 'zod';
import { fault } from '../../../base/core/input.ts';
import { type Days, dayBy, INTERVALS, type Interval } from './days.ts';

/** The most days of a range, by interval. */
export const DAYS_MAX: Readonly<Record<Interval, number>> = { DAY: 400, WEEK: 3_700, MONTH: 3_700 };

const dayInput = (today: number) =>
  z
    .string()
    .transform(
      (text, ctx) =>
        dayBy(today, text) ?? fault(ctx, 'must be a date from 1970 on, as in 2026-11-22, or a day as in today-13'),
    );

/** The days of the statistics; the longest range depends on the interval. Today as days since 1970-01-01. */
export const daysInput = (today: number) =>
  z
    .object({ from: dayInput(today), to: dayInput(today), interval: z.enum(INTERVALS) })
    .transform(({ from, to, interval }, ctx): Days => {
      if (to < from) return fault(ctx, 'must not be before from', ['to']);
      const most = DAYS_MAX[interval];
      if (to - from >= most) return fault(ctx, `must be within ${most} days for the interval ${interval}`, ['to']);
      return { from, to };
    });
