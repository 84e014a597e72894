import { uuidFor } from '../../../base/core/ids.ts';
import { covers } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { ClockAndSettings } from '../../../base/platform/deps.ts';
import { enqueueJobs, MAIL_QUEUE } from '../../../base/platform/jobs.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type ColumnTypes, type RowList, rowList, rowsIn } from '../../../base/platform/postgres/row-list.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { MemberKey } from '../../shop/merchants/members.ts';
import { type BuyerMail, CONFIRM_MAIL, type MailKind, NEEDED_FOR_NOTICE, type Notice, TEST_MAIL } from './kinds.ts';

/** A message as the queue names it. */
export interface MailJob {
  readonly merchant: Wallet;
  readonly id: string;
}

interface NewMail extends MailJob {
  readonly kind: MailKind;
  readonly subjectId: string | null;
  readonly member: Wallet | null;
  readonly queuedAt: number;
}

const NEW: ColumnTypes<NewMail> = {
  merchant: 'text',
  id: 'text',
  kind: 'text',
  subjectId: 'text',
  member: 'text',
  queuedAt: 'bigint',
};
const COLUMNS = Object.keys(NEW) as (keyof NewMail)[];

const INSERT = query('mails-insert', (db, $: { mails: RowList<NewMail> }) => {
  const given = rowsIn($.mails, 'given', NEW);
  return db
    .insertInto('MailMessage')
    .columns([...COLUMNS, 'state'])
    .expression((eb) => eb.selectFrom(given.table).select(given.select(COLUMNS)).select(eb.val('pending').as('first')))
    .onConflict((known) => known.columns(['merchant', 'id']).doNothing())
    .returning(['merchant', 'id']);
});

async function insertMails(uow: UnitOfWork, mails: readonly NewMail[], delayMs = 0): Promise<void> {
  const inserted = await uow.run(INSERT, { mails: rowList(mails) });
  if (inserted.length > 0) await enqueueJobs(uow, MAIL_QUEUE, inserted, { delayMs });
}

/** A message to a buyer or a subscriber. */
export interface BuyerMessage {
  readonly merchant: Wallet;
  readonly kind: BuyerMail;
  /** The receipt or the subscription. */
  readonly subjectId: string;
  /** Tells messages of one kind about one subject apart, such as a refund's entry in the history. */
  readonly occasion?: string | number;
}

/** The id of a message. */
export const mailId = ({ merchant, kind, subjectId, occasion = '' }: BuyerMessage): string =>
  uuidFor([merchant, kind, subjectId, occasion]);

/**
 * Enqueues messages in the caller's transaction; nothing without an SMTP server. The same kind, subject and occasion is
 * sent once, however often it is enqueued.
 */
export async function enqueueMails(
  { clock, settings }: ClockAndSettings,
  uow: UnitOfWork,
  messages: readonly BuyerMessage[],
): Promise<void> {
  if (settings.mail === null || messages.length === 0) return;
  const queuedAt = clock();
  const mails = messages.map((message) => {
    const { merchant, kind, subjectId } = message;
    return { merchant, id: mailId(message), kind, subjectId, member: null, queuedAt };
  });
  await insertMails(uow, mails);
}

/** Enqueues a test message to a member. */
export const enqueueTest = (
  { clock }: ClockAndSettings,
  uow: UnitOfWork,
  test: MailJob & { readonly member: Wallet },
): Promise<void> => insertMails(uow, [{ ...test, kind: TEST_MAIL, subjectId: null, queuedAt: clock() }]);

const DAY_MS = 86_400_000;

/** The message that asks a member to confirm an address, by the day on which it is asked. */
export const confirmId = (merchant: Wallet, member: Wallet, address: string, at: number): string =>
  uuidFor([merchant, CONFIRM_MAIL, member, address.toLowerCase(), Math.floor(at / DAY_MS)]);

/** Enqueues the question whether an address is the member's own: once a day; nothing without an SMTP server. */
export async function enqueueConfirm(
  { clock, settings }: ClockAndSettings,
  uow: UnitOfWork,
  { merchant, wallet: member }: MemberKey,
  address: string,
): Promise<void> {
  if (settings.mail === null) return;
  const queuedAt = clock();
  const id = confirmId(merchant, member, address, queuedAt);
  await insertMails(uow, [{ merchant, id, kind: CONFIRM_MAIL, subjectId: null, member, queuedAt }]);
}

/** What happens together is reported together. */
const GATHERED_MS = 60_000;
/** A member gets at most one notice of a kind in this time. */
const SLOT_MS = 3_600_000;

const RECEIVERS = query('mail-receivers', (db, $: { merchant: Wallet; notice: Notice }) =>
  db
    .selectFrom('MailPreference as p')
    .innerJoin('Member as m', (on) => on.onRef('m.merchant', '=', 'p.merchant').onRef('m.wallet', '=', 'p.wallet'))
    .select(['p.wallet', 'm.role'])
    .where('p.merchant', '=', $.merchant)
    .where('p.confirmedAt', 'is not', null)
    .where((eb) => eb(eb.val($.notice), '=', eb.fn.any('p.notices'))),
);

const STATES = query('mail-states', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .selectFrom('MailMessage')
    .select(['id', 'state', 'queuedAt'])
    .where('merchant', '=', $.merchant)
    .where('id', '=', (eb) => eb.fn.any(eb.val($.ids))),
);

/**
 * Enqueues a notice for the members who want it, in the caller's transaction. It counts what is open when it is sent,
 * so that one notice reports many occasions: of one kind a member gets at most one within an hour, and the last
 * occasion is never left out.
 */
export async function enqueueNotice(
  { clock, settings }: ClockAndSettings,
  uow: UnitOfWork,
  merchant: Wallet,
  notice: Notice,
): Promise<void> {
  if (settings.mail === null) return;
  const members = (await uow.run(RECEIVERS, { merchant, notice })).filter(({ role }) =>
    covers(role, [NEEDED_FOR_NOTICE[notice]]),
  );
  if (members.length === 0) return;
  const now = clock();
  const slot = Math.floor(now / SLOT_MS);
  const noticeIn = (at: number, member: Wallet): NewMail => ({
    ...{ merchant, kind: notice, subjectId: null, member, queuedAt: now },
    id: uuidFor([merchant, notice, member, at]),
  });
  const first = members.map(({ wallet }) => noticeIn(slot, wallet));
  const states = await uow.run(STATES, { merchant, ids: first.map(({ id }) => id) });
  // One that is due may have been made already, without this occasion.
  const isOpen = ({ state, queuedAt }: (typeof states)[number]) => state === 'pending' && now < queuedAt + GATHERED_MS;
  const reported = new Set(states.filter((one) => !isOpen(one)).map(({ id }) => id));
  await insertMails(uow, first, GATHERED_MS);
  const next = first.filter(({ id }) => reported.has(id)).map(({ member }) => noticeIn(slot + 1, member as Wallet));
  if (next.length > 0) await insertMails(uow, next, (slot + 1) * SLOT_MS - now + GATHERED_MS);
}
