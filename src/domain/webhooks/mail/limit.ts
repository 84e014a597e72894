import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { MailConfig } from '../../../base/platform/config/mail.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';

const DAY_MS = 86_400_000;
/** A merchant that the operator has not admitted sends this part of what others may send. */
const NEWCOMER_PART = 10;

/** What the server has taken of the messages of the last 24 hours, and the requests that it may still take. */
const USED = query(
  'mails-of-a-day',
  (_db, $: { merchant: Wallet; since: number }) => sql<{ sent: number; asked: number; newcomer: boolean }>`
    select coalesce(sum(sent), 0) as sent, count(*) filter (where kind = 'request') as asked,
           (select newcomer from merchants where wallet = ${$.merchant}) as newcomer
      from mail_messages where merchant = ${$.merchant} and queued_at >= ${$.since}`,
  { computed: { sent: 'int8', asked: 'int8', newcomer: 'bool' } },
);

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
  underWay = 0,
): Promise<Allowed> {
  const [used] = await reader.run(USED, { merchant, since: now - DAY_MS });
  const { sent, asked, newcomer } = used!;
  const most = newcomer ? Math.ceil(perDay / NEWCOMER_PART) : perDay;
  return { maySend: sent + underWay < most, mayAsk: Math.max(sent, asked) < most };
}
