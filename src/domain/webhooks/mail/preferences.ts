import { z } from 'zod';
import { type Caller, merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { newUuid } from '../../../base/core/ids.ts';
import { covers, type MemberRole } from '../../../base/core/roles.ts';
import { email, languageTag } from '../../../base/core/text.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { ClockAndSettings } from '../../../base/platform/deps.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { WritingDeps } from '../../../base/records/audit/record.ts';
import type { MemberKey } from '../../shop/merchants/members.ts';
import { enqueueTest } from './enqueue.ts';
import { NEEDED_FOR_NOTICE, NOTICE_NAMES, type Notice } from './kinds.ts';
import { type MailRecord, readMail } from './mails.ts';

/** What a member wants to receive. An address without notices receives only test messages. */
export const preferenceInput = z.object({
  email,
  language: languageTag,
  notices: z
    .array(z.enum(NOTICE_NAMES, { error: `must be one of ${NOTICE_NAMES.join(', ')}` }))
    .max(NOTICE_NAMES.length),
});

const OWN = query('mail-preference', (db, $: MemberKey) =>
  db
    .selectFrom('MailPreference')
    .select(['email', 'language', 'notices'])
    .where('merchant', '=', $.merchant)
    .where('wallet', '=', $.wallet),
);

export type Preference = RowOf<typeof OWN>;

/** What a member has chosen; null before the first choice. */
export const readPreference = async (db: Db, key: MemberKey): Promise<Preference | null> =>
  (await db.run(OWN, key))[0] ?? null;

/** The notices that a role may receive. */
export const noticesFor = (role: MemberRole): Notice[] =>
  NOTICE_NAMES.filter((notice) => covers(role, [NEEDED_FOR_NOTICE[notice]]));

/** Stores what a member wants to receive. Refuses with `invalid_input` a notice that its role does not cover. */
export async function setPreference(
  { db, clock }: WritingDeps,
  key: MemberKey,
  role: MemberRole,
  preference: z.output<typeof preferenceInput>,
): Promise<Preference> {
  const allowed = noticesFor(role);
  const beyond = preference.notices.find((notice) => !allowed.includes(notice));
  if (beyond) throw refuse('invalid_input', `Your role does not receive ${beyond}`, { field: 'notices' });
  const chosen = { ...preference, notices: [...new Set(preference.notices)], updatedAt: clock() };
  await db.transaction((uow) =>
    uow.db
      .insertInto('MailPreference')
      .values({ ...key, ...chosen })
      .onConflict((known) => known.columns(['merchant', 'wallet']).doUpdateSet(chosen))
      .execute(),
  );
  return chosen;
}

/** Ends all notices of a member, by the link of one of them; the address is forgotten. */
export const stopNotices = async (db: Db, key: MemberKey): Promise<void> =>
  db.transaction((uow) => deletePreference(uow, key));

/** Forgets where a member wanted notices. */
export async function deletePreference(uow: UnitOfWork, { merchant, wallet }: MemberKey): Promise<void> {
  await uow.db.deleteFrom('MailPreference').where('merchant', '=', merchant).where('wallet', '=', wallet).execute();
}

/**
 * Enqueues a test message to the member's own address. The log shows what the server said. Refuses with `invalid_input`
 * without an address, and with `mail_not_configured` without an SMTP server.
 */
export async function sendTest(deps: ClockAndSettings & { readonly db: Db }, caller: Caller): Promise<MailRecord> {
  if (deps.settings.mail === null) throw refuse('mail_not_configured');
  const key = { merchant: merchantOf(caller), wallet: sessionOf(caller).wallet };
  if (!(await readPreference(deps.db, key)))
    throw refuse('invalid_input', 'Store your address before you test it', { field: 'email' });
  const id = newUuid();
  await deps.db.transaction((uow) => enqueueTest(deps, uow, { merchant: key.merchant, id, member: key.wallet }));
  return readMail(deps.db, caller, id);
}
