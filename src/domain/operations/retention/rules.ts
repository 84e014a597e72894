import type { RetentionConfig } from '../../../base/platform/config/retention.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { sweepAnswers } from '../../../base/platform/idempotency.ts';
import { walk } from '../../../base/platform/sweep.ts';
import { sweepNonces, sweepSessions } from '../../access/gateway/sweep.ts';
import { DELETE_CHECKOUTS } from '../../payments/cards/sessions.ts';
import { DELETE_HINTS } from '../../payments/matching/transaction-hints.ts';
import { DELETE_QUOTES } from '../../payments/quotes/store.ts';
import { sweepRates } from '../../payments/watching/sweep-rates.ts';
import { DELETE_INVITATIONS } from '../../people/members/invitations.ts';
import { sweepProfilePictures } from '../../people/users/profile-pictures.ts';
import { sweepEvents } from '../../reports/events/sweep-events.ts';
import { DELETE_HISTORY } from '../../sales/receipts/history.ts';
import { DELETE_INVITES } from '../../shop/merchants/invite.ts';
import { DELETE_DELIVERIES } from '../../webhooks/delivery/deliveries.ts';
import { COUNTS_KEPT_MS, sweepMailCounts } from '../../webhooks/mail/limit.ts';
import { DELETE_MAILS } from '../../webhooks/mail/mails.ts';

export type RetentionDeps = Pick<Deps, 'db' | 'clock' | 'settings'>;

/** Deletes what is older than `before`, epoch ms, in bounded statements. Returns the number of deleted rows. */
type Delete = (db: Db, before: number, signal: AbortSignal) => Promise<number>;

const walked =
  (batch: Parameters<typeof walk>[1]): Delete =>
  (db, before, signal) =>
    walk(db, batch, before, signal);

/** A kind of records that are deleted after a time. */
export interface Rule {
  readonly name: string;
  /** How long they are kept, in ms. A function of the configuration; null: for ever. */
  readonly keptMs: (retention: RetentionConfig) => number | null;
  readonly delete: Delete;
  /** Whether it reads a whole table, so that it runs daily. */
  readonly isWalk?: boolean;
}

/** Challenges end at their own time, and answers after the time that the API promises. */
const AT_ITS_END = () => 0;
/** A profile is written right after its picture. */
const PICTURE_GRACE_MS = 3_600_000;

/** What is deleted, in this order: what an index finds first, then what a walk through a table finds. */
export const RULES: readonly Rule[] = [
  { name: 'login challenges', keptMs: AT_ITS_END, delete: sweepNonces },
  { name: 'profile pictures', keptMs: () => PICTURE_GRACE_MS, delete: sweepProfilePictures },
  { name: 'idempotent answers', keptMs: AT_ITS_END, delete: sweepAnswers },
  { name: 'counts of mails', keptMs: () => COUNTS_KEPT_MS, delete: sweepMailCounts },
  { name: 'sessions', keptMs: ({ sessionsMs }) => sessionsMs, delete: sweepSessions },
  { name: 'events', keptMs: ({ eventsMs }) => eventsMs, delete: sweepEvents },
  { name: 'rates', keptMs: ({ ratesMs }) => ratesMs, delete: sweepRates },
  {
    name: 'invitations',
    keptMs: ({ invitationsMs }) => invitationsMs,
    delete: async (db, before) =>
      (await db.run(DELETE_INVITATIONS, { before })).length + (await db.run(DELETE_INVITES, { before })).length,
  },
  { name: 'deliveries', keptMs: ({ deliveriesMs }) => deliveriesMs, delete: walked(DELETE_DELIVERIES), isWalk: true },
  { name: 'mails', keptMs: ({ mailsMs }) => mailsMs, delete: walked(DELETE_MAILS), isWalk: true },
  { name: 'hints', keptMs: ({ hintsMs }) => hintsMs, delete: walked(DELETE_HINTS), isWalk: true },
  { name: 'quotes', keptMs: ({ quotesMs }) => quotesMs, delete: walked(DELETE_QUOTES), isWalk: true },
  { name: 'checkouts', keptMs: ({ checkoutsMs }) => checkoutsMs, delete: walked(DELETE_CHECKOUTS), isWalk: true },
  { name: 'history', keptMs: ({ historyMs }) => historyMs, delete: walked(DELETE_HISTORY), isWalk: true },
];
