import { type Language, localeOf } from '../../../base/core/messages/languages.ts';
import { type Html, html } from './html.ts';

/** One style for every date on every page: `22 Nov 2026, 02:25 UTC`. The zone is always named. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;
const MOMENT = { day: 'numeric', month: 'short', year: 'numeric', ...CLOCK } as const;

/** Epoch milliseconds → `22 Nov 2026, 02:25 UTC`, in an IANA time zone; undefined is the reader's own. */
export function momentText(at: number, timeZone: string | undefined, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { ...MOMENT, timeZone }).format(at);
}

/** Epoch milliseconds → `02:25 UTC`, in an IANA time zone; undefined is the reader's own. */
export function clockText(at: number, timeZone: string | undefined, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { ...CLOCK, timeZone }).format(at);
}

/** A date and time in UTC; the page's script replaces it with the reader's own time zone. */
export const dayTime = (at: number, language: Language): Html =>
  html`<time datetime="${new Date(at).toISOString()}" data-local="moment">${momentText(at, 'UTC', language)}</time>`;

/** A time of day in UTC; the page's script replaces it with the reader's own time zone. */
export const clockTime = (at: number, language: Language): Html =>
  html`<time datetime="${new Date(at).toISOString()}" data-local="clock">${clockText(at, 'UTC', language)}</time>`;

/** A date and time that stays in UTC, for print. */
export const printedTime = (at: number, language: Language): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${momentText(at, 'UTC', language)}</time>`;
