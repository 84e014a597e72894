import type { Kysely } from 'kysely';
import { defineLifecycle } from '../../../base/core/lifecycle.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';

/**
 * The state of a message. `pending`: it is sent, or tried again. `sent`: the server has accepted it. `dropped`: there
 * was nothing to say any more, or no address to send it to. `failed`: the server has refused it, or was away too long.
 */
const MAIL = defineLifecycle(['pending'], {
  pending: ['sent', 'dropped', 'failed'],
  sent: ['pending'],
  dropped: ['pending'],
  failed: ['pending'],
});

export type MailState = (typeof MAIL.statuses)[number];

/** The only update of a message's state: moves messages that may move to `to`. The caller adds which ones. */
export const moveMails = (db: Kysely<Database>, to: MailState, finishedAt: number | null) =>
  db.updateTable('MailMessage').set({ state: to, finishedAt }).where('state', 'in', MAIL.before(to));
