import { z } from 'zod';
import { type Caller, merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { newUuid } from '../../../base/core/ids.ts';
import { covers, type MemberRole } from '../../../base/core/roles.ts';
import { email, languageTag } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { isMailbox } from '../../../base/outgoing/smtp.ts';
import type { MailConfig } from '../../../base/platform/config/mail.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { ClockAndSettings } from '../../../base/platform/deps.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { WritingDeps } from '../../../base/records/audit/record.ts';
import type { MemberKey } from '../../shop/merchants/members.ts';
import { enqueueConfirm, enqueueTest } from './enqueue.ts';
import { type MailKind, NEEDED_FOR_NOTICE, NOTICE_NAMES, type Notice } from './kinds.ts';
import { readLimit } from './limit.ts';
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
    .select(['email', 'language', 'notices', 'confirmedAt'])
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

/**
 * Stores what a member wants to receive. An address that is not confirmed gets a link that confirms it, once a day, and
 * nothing else before that: anybody can enter the address of somebody else. Refuses with `invalid_input` a notice that
 * its role does not cover.
 */
export async function setPreference(
  deps: WritingDeps & ClockAndSettings,
  key: MemberKey,
  role: MemberRole,
  preference: z.output<typeof preferenceInput>,
): Promise<Preference> {
  const allowed = noticesFor(role);
  const beyond = preference.notices.find((notice) => !allowed.includes(notice));
  if (beyond)
    throw refuse('invalid_input', `Your role does not receive ${beyond}`, {
      field: 'notices',
      reason: 'role_without_notice',
    });
  const chosen = { ...preference, notices: [...new Set(preference.notices)], updatedAt: deps.clock() };
  return deps.db.transaction(async (uow) => {
    const stored = await uow.db
      .insertInto('MailPreference')
      .values({ ...key, ...chosen })
      .onConflict((known) =>
        known.columns(['merchant', 'wallet']).doUpdateSet((eb) => ({
          ...chosen,
          confirmedAt: eb
            .case()
            .when('MailPreference.email', '=', chosen.email)
            .then(eb.ref('MailPreference.confirmedAt'))
            .end(),
        })),
      )
      .returning(['email', 'language', 'notices', 'confirmedAt'])
      .executeTakeFirstOrThrow();
    if (stored.confirmedAt === null) await enqueueConfirm(deps, uow, key, stored.email);
    return stored;
  });
}

const CONFIRM = query('mail-confirm', (db, $: MemberKey & { email: string; now: number }) =>
  db
    .updateTable('MailPreference')
    .set({ confirmedAt: $.now })
    .where('merchant', '=', $.merchant)
    .where('wallet', '=', $.wallet)
    .where('email', '=', $.email)
    .where('confirmedAt', 'is', null),
);

/** Confirms an address, unless the member has another one by now. */
export const confirmAddress = async (db: Db, key: MemberKey, email: string, now: number): Promise<void> =>
  void (await db.run(CONFIRM, { ...key, email, now }));

/** Ends all notices of a member, by the link of one of them; the address is forgotten. */
export const stopNotices = async (db: Db, key: MemberKey): Promise<void> =>
  db.transaction((uow) => deletePreference(uow, key));

/** Forgets where a member wanted notices. */
export async function deletePreference(uow: UnitOfWork, { merchant, wallet }: MemberKey): Promise<void> {
  await uow.db.deleteFrom('MailPreference').where('merchant', '=', merchant).where('wallet', '=', wallet).execute();
}

/**
 * Enqueues a test message to the member's own address. The log shows what the server said. Refuses with `invalid_input`
 * without a confirmed address, and with `mail_not_configured` without an SMTP server.
 */
export async function sendTest(deps: ClockAndSettings & { readonly db: Db }, caller: Caller): Promise<MailRecord> {
  if (deps.settings.mail === null) throw refuse('mail_not_configured');
  const key = { merchant: merchantOf(caller), wallet: sessionOf(caller).wallet };
  if (!(await readPreference(deps.db, key))?.confirmedAt)
    throw refuse('invalid_input', 'Store and confirm your address before you test it', {
      field: 'email',
      reason: 'email_unconfirmed',
    });
  const id = newUuid();
  await deps.db.transaction((uow) => enqueueTest(deps, uow, { merchant: key.merchant, id, member: key.wallet }));
  return readMail(deps.db, caller, id);
}

/** A digest of an address of a merchant, which does not name it. */
export const addressDigest = (merchant: Wallet, address: string): string =>
  sha256(`${merchant} ${address.toLowerCase()}`);

const REFUSED = query('mail-address-refused', (db, $: { merchant: Wallet; digest: string }) =>
  db
    .selectFrom('MailMessage')
    .select('id')
    .where('merchant', '=', $.merchant)
    .where('refusedDigest', '=', $.digest)
    .limit(1),
);

/** Whether the server has refused an address for good. */
export const isRefused = async (db: Db, merchant: Wallet, address: string): Promise<boolean> =>
  (await db.run(REFUSED, { merchant, digest: addressDigest(merchant, address) })).length > 0;

/** Whether a message of a merchant would be sent now; to an address, if one is given. Pages promise it only then. */
export async function wouldSend(
  db: Db,
  mail: MailConfig | null,
  now: number,
  merchant: Wallet,
  address: string | null,
): Promise<boolean> {
  if (mail === null) return false;
  if (address !== null && (!isMailbox(address) || (await isRefused(db, merchant, address)))) return false;
  const to = address === null ? null : { address, kind: 'receipt' as const, again: false };
  return (await readLimit(db, mail, merchant, now, to)).waits === null;
}

const OF_RECEIPT = query('mail-of-receipt', (db, $: { merchant: Wallet; receiptId: string; kind: MailKind }) =>
  db
    .selectFrom('MailMessage')
    .select('state')
    .where('merchant', '=', $.merchant)
    .where('subjectId', '=', $.receiptId)
    .where('kind', '=', $.kind),
);

/** Where the message with a paid receipt is; null if there is none. */
export const receiptMailState = async (db: Db, merchant: Wallet, receiptId: string) =>
  (await db.run(OF_RECEIPT, { merchant, receiptId, kind: 'receipt' }))[0]?.state ?? null;
