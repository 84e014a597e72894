import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { MailConfig } from '../../../base/platform/config/mail.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';

const DAY_MS = 86_400_000;
/** For how long a message is tried again. */
export const PATIENCE_MS = 3 * DAY_MS;
/** A merchant that the operator has not admitted sends this part of what others may send. */
const NEWCOMER_PART = 10;

/**
 * What the server has taken within 24 hours, however long it waited before, and the requests that it may still take: of
 * the merchant, and of all newcomers if it is one. A message is tried for `PATIENCE_MS` after it was enqueued.
 */
const USED = query(
  'mails-of-a-day',
  (_db, $: { merchant: Wallet; since: number; oldest: number }) => sql<Used>`
    with m as (
      select ${$.merchant}::text as wallet
      union select o.wallet from merchants s, merchants o where s.wallet = ${$.merchant} and s.newcomer and o.newcomer
    ), used as (
      select m.wallet, u.* from m, lateral (
        select coalesce(sum(sent) filter (where coalesce(finished_at, queued_at) >= ${$.since}), 0) as sent,
               count(*) filter (where kind = 'request' and queued_at >= ${$.since}) as asked
          from mail_messages where merchant = m.wallet and queued_at >= ${$.oldest}) u)
    select coalesce(sum(sent) filter (where wallet = ${$.merchant}), 0)::int8 as sent,
           coalesce(sum(asked) filter (where wallet = ${$.merchant}), 0)::int8 as asked,
           coalesce(sum(sent), 0)::int8 as "sentByAll", coalesce(sum(asked), 0)::int8 as "askedByAll",
           coalesce((select newcomer from merchants where wallet = ${$.merchant}), false) as newcomer
      from used`,
  { computed: { sent: 'int8', asked: 'int8', sentByAll: 'int8', askedByAll: 'int8', newcomer: 'bool' } },
);

interface Used {
  readonly sent: number;
  readonly asked: number;
  readonly sentByAll: number;
  readonly askedByAll: number;
  readonly newcomer: boolean;
}

/** What a merchant may still do within the limit of a day. */
interface Allowed {
  /** Have a message sent. */
  readonly maySend: boolean;
  /** Ask an address for a payment. What was asked counts from then on, sent or not, so that no queue builds up. */
  readonly mayAsk: boolean;
}

/** What the limit of a day still allows a merchant. What is under way counts as sent. */
export async function readLimit(
  reader: Pick<Db, 'run'>,
  { perDay }: MailConfig,
  merchant: Wallet,
  now: number,
  underWay = { own: 0, all: 0 },
): Promise<Allowed> {
  const since = now - DAY_MS;
  const [used] = await reader.run(USED, { merchant, since, oldest: since - PATIENCE_MS });
  const { sent, asked, sentByAll, askedByAll, newcomer } = used!;
  const most = newcomer ? Math.ceil(perDay / NEWCOMER_PART) : perDay;
  // No number of merchants that strangers register sends more than one that is admitted.
  const isFull = (all: number) => newcomer && all >= perDay;
  return {
    maySend: sent + underWay.own < most && !isFull(sentByAll + underWay.all),
    mayAsk: Math.max(sent, asked) < most && !isFull(Math.max(sentByAll, askedByAll)),
  };
}
