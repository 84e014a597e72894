import { integer, type Variable, variable } from './values.ts';

/** A hundred years. */
const DAYS_MAX = 36_500;
const DAY_MS = 86_400_000;

const days = (least: number, byDefault: number, doc: string): Variable<number> =>
  variable(integer(least, DAYS_MAX), String(byDefault), String(Math.max(least, byDefault * 2 || 30)), doc);

/** For how many days finished records are kept. The documents describe each table. */
export const RETENTION_VARIABLES = {
  KEEP_DELIVERIES_DAYS: days(1, 90, 'Webhook deliveries with their attempts, after the last attempt.'),
  KEEP_MAILS_DAYS: days(1, 90, 'The log of sent e-mails, after they ended. The texts are not kept.'),
  KEEP_EVENTS_DAYS: days(1, 30, 'Events of the feed, after they happened. An older cursor is refused.'),
  KEEP_HINTS_DAYS: days(7, 90, "Transactions that the buyer's side has submitted, after their outcome is known."),
  KEEP_QUOTES_DAYS: days(30, 365, 'Quotes of receipts without a payment, after their end.'),
  KEEP_CHECKOUTS_DAYS: days(7, 90, 'Card checkouts that ended without a payment.'),
  KEEP_SESSIONS_DAYS: days(0, 0, 'Sessions, after they expired.'),
  KEEP_INVITATIONS_DAYS: days(0, 90, 'Invitations of members and codes of the operator, after they expired.'),
  KEEP_RATES_DAYS: days(
    7,
    90,
    'Exchange rates, after they were replaced. Payments that wait to be assigned keep theirs.',
  ),
  KEEP_HISTORY_DAYS: variable(
    integer(30, DAYS_MAX),
    'for ever',
    '3650',
    'The steps of receipts that ended, except the last one and the notes. The receipts stay.',
  ),
} as const;

/** For how long finished records are kept, in ms. */
export interface RetentionConfig {
  readonly deliveriesMs: number;
  readonly mailsMs: number;
  readonly eventsMs: number;
  readonly hintsMs: number;
  readonly quotesMs: number;
  readonly checkoutsMs: number;
  readonly sessionsMs: number;
  readonly invitationsMs: number;
  readonly ratesMs: number;
  /** Null: for ever. */
  readonly historyMs: number | null;
}

/** The retention with its defaults. */
export function readRetention(
  given: Readonly<Partial<Record<keyof typeof RETENTION_VARIABLES, number | undefined>>>,
): RetentionConfig {
  const ms = (name: keyof typeof RETENTION_VARIABLES) =>
    (given[name] ?? Number(RETENTION_VARIABLES[name].unset)) * DAY_MS;
  return {
    deliveriesMs: ms('KEEP_DELIVERIES_DAYS'),
    mailsMs: ms('KEEP_MAILS_DAYS'),
    eventsMs: ms('KEEP_EVENTS_DAYS'),
    hintsMs: ms('KEEP_HINTS_DAYS'),
    quotesMs: ms('KEEP_QUOTES_DAYS'),
    checkoutsMs: ms('KEEP_CHECKOUTS_DAYS'),
    sessionsMs: ms('KEEP_SESSIONS_DAYS'),
    invitationsMs: ms('KEEP_INVITATIONS_DAYS'),
    ratesMs: ms('KEEP_RATES_DAYS'),
    historyMs: given.KEEP_HISTORY_DAYS === undefined ? null : given.KEEP_HISTORY_DAYS * DAY_MS,
  };
}
