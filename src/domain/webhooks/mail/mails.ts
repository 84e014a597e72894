import { sql } from 'kysely';
import { type Caller, may, merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { enqueueJobs, MAIL_QUEUE } from '../../../base/platform/jobs.ts';
import { type KeysetOrder, keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { walkQuery } from '../../../base/platform/sweep.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { CONFIRM_MAIL } from './kinds.ts';
import { type MailState, moveMails } from './state.ts';

const COLUMNS = [
  'merchant',
  'id',
  'kind',
  'subjectId',
  'member',
  'state',
  'sent',
  'answer',
  'queuedAt',
  'finishedAt',
] as const;

/** Newest first. */
const ORDER: KeysetOrder = {
  name: 'mails',
  direction: 'desc',
  keys: [
    { name: 'queuedAt', type: 'int8' },
    { name: 'id', type: 'text' },
  ],
};

interface Conditions {
  readonly merchant: Wallet;
  readonly subjectId: string;
  readonly state: MailState;
}

const listBy = (...conditions: readonly ('subjectId' | 'state')[]) =>
  keysetList(['mails', ...conditions].join(' '), {
    order: ORDER,
    from: (db, $: Conditions) => {
      let rows = db.selectFrom('MailMessage').where('merchant', '=', $.merchant);
      for (const condition of conditions) rows = rows.where(condition, '=', $[condition]);
      return rows;
    },
    select: (rows) => rows.select(COLUMNS),
    slow: !conditions.includes('subjectId'),
  });

const ANY = listBy();
const IN_STATE = listBy('state');
const OF_SUBJECT = listBy('subjectId');
const OF_SUBJECT_IN_STATE = listBy('subjectId', 'state');

/** Selects messages. */
export interface MailFilter {
  /** Only those about this receipt or this subscription. */
  readonly subjectId?: string | null;
  readonly state?: MailState | null;
}

/** A merchant's messages, the newest first. */
export function listMails(
  db: Db,
  merchant: Wallet,
  { subjectId = null, state = null }: MailFilter = {},
): Listing<MailRecord> {
  const list =
    subjectId === null ? (state === null ? ANY : IN_STATE) : state === null ? OF_SUBJECT : OF_SUBJECT_IN_STATE;
  return listing(db, list, { merchant, subjectId, state } as Conditions, merchant);
}

const ONE = query('mail-of-log', (db, $: { merchant: Wallet; id: string }) =>
  db.selectFrom('MailMessage').select(COLUMNS).where('merchant', '=', $.merchant).where('id', '=', $.id),
);

/** A message as the log shows it. Times in epoch ms. */
export type MailRecord = RowOf<typeof ONE>;

/** One message, for a caller who reads receipts, or the member whom it is for. Refuses with `not_found`. */
export async function readMail(db: Db, caller: Caller, id: string): Promise<MailRecord> {
  const [mail] = await db.run(ONE, { merchant: merchantOf(caller), id });
  const isOwn = mail?.member != null && mail.member === sessionOf(caller).wallet;
  if (!mail || !(isOwn || may(caller, 'receipts:read'))) throw refuse('not_found', 'There is no such message');
  return mail;
}

/**
 * Enqueues a message again that has ended, with the same Message-ID. Its text is made again, so it may have nothing to
 * say any more. A message that waits stays as it is, and so does one that asks for a confirmation. Refuses with
 * `not_found`.
 */
export async function resendMail(deps: WritingDeps, caller: Caller, id: string): Promise<MailRecord> {
  const merchant = merchantOf(caller);
  await deps.db.transaction(async (uow) => {
    const [moved] = await moveMails(uow.db, 'pending', null)
      .set({ queuedAt: deps.clock() })
      .where('merchant', '=', merchant)
      .where('id', '=', id)
      .where('kind', '<>', CONFIRM_MAIL)
      .returning('id')
      .execute();
    if (!moved) return;
    await enqueueJobs(uow, MAIL_QUEUE, [{ merchant, id }]);
    await recordAudit(deps, uow, merchant, 'mail.resent', ['mail', id], {});
  });
  return readMail(deps.db, caller, id);
}

/** Deletes what the server has taken or refused before a time. What it refused because of an address stays known. */
export const DELETE_MAILS = walkQuery('mails-delete', {
  table: 'mail_messages',
  key: ['merchant', 'id'],
  isDue: (before) => sql`t.state <> 'pending' and t.refused_digest is null and t.finished_at < ${before}`,
});

const ERASE = query(
  'mails-erase',
  (_db, $: { merchant: Wallet; subjects: readonly string[] }) => sql<{ id: string }>`
    delete from mail_messages where merchant = ${$.merchant} and subject_id = any(${$.subjects}::text[]) returning id`,
  { computed: { id: 'text' } },
);

/** Erases the messages about receipts and subscriptions of a buyer, with what is known of their addresses. */
export const eraseMails = async (db: Db, merchant: Wallet, subjects: readonly string[]): Promise<number> =>
  subjects.length === 0 ? 0 : (await db.run(ERASE, { merchant, subjects })).length;
