import { type Language, localeOf } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { MailMessage } from '../../../domain/webhooks/mail/message.entity.ts';
import { type Html, html, type Part } from '../shared/html.ts';
import type { Content, Said } from './layout.ts';

/** The shop that a message is of. */
export interface Shop {
  readonly merchant: Wallet;
  readonly name: string;
  readonly timeZone: string;
}

/** The words of one message. */
export interface Voice {
  readonly language: Language;
  /** A message with its placeholders: as text, and with names and amounts that keep their direction. */
  say(key: string, values?: Readonly<Record<string, string | number>>): Said;
  money(cents: number, currency: string): string;
  date(at: number): string;
}

/** What is said to whom; the rest is the same in every message. */
interface Draft extends Partial<Pick<Content, 'lines' | 'more' | 'facts' | 'action' | 'stop'>> {
  readonly to: string;
  /** A tag of a language; null: that of the shop. */
  readonly language: string | null;
  readonly subject: string;
  readonly title: Said;
  readonly text: Said;
  /** Why the receiver gets it, in place of the invitation to reply. */
  readonly why?: Said;
}

/** Makes what is said, or says why there is nothing to tell. */
export type Tell = (
  deps: Deps,
  mail: MailMessage,
  shop: Shop,
  voiceOf: VoiceOf,
) => Promise<Draft | { dropped: string }>;
/** The words in a language; null: that of the shop. */
type VoiceOf = (language: string | null) => Voice;

/** The words of mails in a language, and dates in a time zone (IANA). */
export function voiceIn(language: Language, timeZone: string): Voice {
  const words = wordsOf('mail', language);
  // A test writes every message in every language, as the key is chosen by the kind of the message.
  const say = words as unknown as (key: string, values?: object) => string;
  const { parts } = words as unknown as { parts: (key: string, values?: object) => readonly Part[] };
  const locale = localeOf(language);
  return {
    language,
    say: (key, values = {}) => ({ text: say(key, values), html: html`${parts(key, isolated(values))}` }),
    money: (cents, currency) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency }).format(decimalOf(cents) as `${number}`),
    date: (at) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(at),
  };
}

const isolated = (values: Readonly<Record<string, string | number>>): Record<string, Html | number | string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      // The period chooses a text; every other text is a name or an amount.
      typeof value === 'number' || name === 'period' ? value : html`<bdi>${value}</bdi>`,
    ]),
  );

/** Cents as decimal text, exactly. */
function decimalOf(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
