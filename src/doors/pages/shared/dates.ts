import { type Html, html } from './html.ts';

/** One style for every date on every page: `22 Nov 2026, 02:25 UTC`. The zone is always named. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;
const MOMENT = { day: 'numeric', month: 'short', year: 'numeric', ...CLOCK } as const;

const LOCALE = 'en-GB';

/** Epoch milliseconds → `22 Nov 2026, 02:25 UTC`, in an IANA time zone; undefined is the reader's own. */
export function momentText(at: number, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat(LOCALE, { ...MOMENT, timeZone }).format(at);
}

/** Epoch milliseconds → `02:25 UTC`, in an IANA time zone; undefined is the reader's own. */
export function clockText(at: number, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat(LOCALE, { ...CLOCK, timeZone }).format(at);
}

/** A date and time in UTC; the page's script replaces it with the reader's own time zone. */
export const dayTime = (at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}" data-local="moment">${momentText(at, 'UTC')}</time>`;

/** A time of day in UTC; the page's script replaces it with the reader's own time zone. */
export const clockTime = (at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}" data-local="clock">${clockText(at, 'UTC')}</time>`;

/** A date and time that stays in UTC, for print. */
export const printedTime = (at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${momentText(at, 'UTC')}</time>`;
