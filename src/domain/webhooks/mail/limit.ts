import { domainToASCII } from 'node:url';
import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { MailConfig } from '../../../base/platform/config/mail.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
import { SWEEP_BATCH, sweep } from '../../../base/platform/sweep.ts';
import { CONFIRM_MAIL, isToMember, type MailKind } from './kinds.ts';

const HOUR_MS = 3_600_000;
/** A day is the present hour with the 24 before it, so that no 24 hours hold more than the limit. */
const DAY_HOURS = 24;
export const COUNTS_KEPT_MS = (DAY_HOURS + 1) * HOUR_MS;
/** A merchant that the operator has not admitted sends this part of what others may send. */
const NEWCOMER_PART = 10;
/** One mailbox gets at most this number of messages that nothing there has asked for. */
const MAILBOX_MOST = 10;

/** Who gets a message. */
interface Receiver {
  readonly address: string;
  readonly kind: MailKind;
  /** Whether the server has taken the message before. */
  readonly again: boolean;
}

/**
 * Whether the limit of its mailbox holds for a message. A member has confirmed its address, and a buyer has paid an
 * admitted merchant; a newcomer pays itself, and can enter the address of somebody else.
 */
const isUnasked = ({ kind, again }: Receiver, newcomer: boolean): boolean =>
  isToMember(kind) ? kind === CONFIRM_MAIL : newcomer || again || kind === 'request';

/** One mailbox, however its address is written: in any case, with dots, with a tag. The digest does not name it. */
function mailboxDigest(address: string, of: Wallet | null): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).normalize('NFKC').toLowerCase().replace(/\+.*/, '').replaceAll('.', '');
  return sha256(`${of ?? ''} ${local}@${domainToASCII(address.slice(at + 1))}`);
}

/** All newcomers together: no number of merchants that strangers register sends more than one that is admitted. */
const NEWCOMERS = 'newcomers';

const USED = query(
  'mails-of-a-day',
  (_db, $: { merchant: Wallet; keys: readonly string[]; since: number }) => sql<Used>`
    select k.key, coalesce(sum(c.sent), 0)::int8 as sent, coalesce(sum(c.asked), 0)::int8 as asked,
           coalesce((select newcomer from merchants where wallet = ${$.merchant}), false) as newcomer
      from unnest(${$.keys}::text[]) k(key) left join mail_counts c on c.key = k.key and c.hour >= ${$.since}
     group by k.key`,
  { computed: { key: 'text', sent: 'int8', asked: 'int8', newcomer: 'bool' } },
);

interface Used {
  readonly key: string;
  readonly sent: number;
  readonly asked: number;
  readonly newcomer: boolean;
}

/** What a merchant may still do within the limits of a day. */
interface Allowed {
  /** Why a message waits; null if it may be sent. */
  readonly waits: string | null;
  /** Ask an address for a payment. What was asked counts from then on, sent or not, so that no queue builds up. */
  readonly mayAsk: boolean;
  /** What counts the message. */
  readonly keys: readonly string[];
}

/** What the limits of a day still allow a merchant, to a receiver if one is given. What is under way counts as sent. */
export async function readLimit(
  reader: Pick<Db, 'run'>,
  { perDay }: MailConfig,
  merchant: Wallet,
  now: number,
  to: Receiver | null,
  underWay: (key: string) => number = () => 0,
): Promise<Allowed> {
  const ofAll = to && mailboxDigest(to.address, null);
  const ofShop = to && mailboxDigest(to.address, merchant);
  const keys = [merchant, NEWCOMERS, ofAll, ofShop].filter((key) => key !== null);
  const used = await reader.run(USED, { merchant, keys, since: hourOf(now) - DAY_HOURS });
  const { newcomer } = used[0]!;
  const limits = new Map<string, number>([[merchant, newcomer ? Math.ceil(perDay / NEWCOMER_PART) : perDay]]);
  if (newcomer) limits.set(NEWCOMERS, perDay);
  const mailbox = to && isUnasked(to, newcomer) ? (newcomer ? ofAll : ofShop) : null;
  if (mailbox !== null) limits.set(mailbox, MAILBOX_MOST);
  const counted = used.filter(({ key }) => limits.has(key));
  const full = counted.find(({ key, sent }) => sent + underWay(key) >= limits.get(key)!);
  return {
    waits: full ? `waits: the limit of a day${full.key === mailbox ? ' for this address' : ''} is reached` : null,
    mayAsk: counted.every(({ key, sent, asked }) => Math.max(sent, asked) < limits.get(key)!),
    keys: [...limits.keys()],
  };
}

const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

const COUNT = query(
  'mails-count',
  (_db, $: { keys: readonly string[]; hour: number; sent: number; asked: number }) => sql<object>`
    insert into mail_counts (key, hour, sent, asked)
    select key, ${$.hour}::int4, ${$.sent}::int4, ${$.asked}::int4 from unnest(${$.keys}::text[]) key order by key
    on conflict (key, hour) do update set sent = mail_counts.sent + excluded.sent, asked = mail_counts.asked + excluded.asked`,
);

/** Counts a message that the server has taken, or one that was asked for. */
export const countMail = async (
  writer: Pick<Db, 'run'>,
  { keys }: Pick<Allowed, 'keys'>,
  what: 'sent' | 'asked',
  now: number,
): Promise<void> =>
  void (await writer.run(COUNT, {
    ...{ keys, hour: hourOf(now) },
    ...{ sent: what === 'sent' ? 1 : 0, asked: what === 'asked' ? 1 : 0 },
  }));

const DELETE_COUNTS = query(
  'mail-counts-delete',
  (_db, $: { until: number }) => sql<{ count: number }>`
    with deleted as (
      delete from mail_counts where ctid in (
        select ctid from mail_counts where hour < ${$.until} limit ${sql.lit(SWEEP_BATCH)}) returning key)
    select count(*)::int8 as count from deleted`,
  { computed: { count: 'int8' } },
);

/** Deletes the counts of the hours before a time, epoch ms. Returns their number. */
export const sweepMailCounts = (db: Db, before: number): Promise<number> =>
  sweep(db, DELETE_COUNTS, { until: hourOf(before) });
