import { type RawBuilder, sql } from 'kysely';
import type { Wallet } from '../../base/core/wallet.ts';
import type { Deps } from '../../base/platform/deps.ts';
import { query } from '../../base/platform/postgres/query.ts';
import { type KeyedPage, readPages } from '../../base/platform/read-pages.ts';

/** The rows that one statement reads. */
const PAGE = 1_000;

interface KeptBody {
  readonly key: string;
  readonly body: string;
}

interface OfReceipts {
  readonly merchant: Wallet;
  readonly ids: readonly string[];
}

/** The receipt that a body reports: every body names it before the merchant's own data. */
const isAbout = (ids: RawBuilder<unknown>) => sql`substring(body from '"receiptId":"([^"]*)"') = any(${ids}::text[])`;
const FOUND = sql`coalesce((select jsonb_agg(jsonb_build_object('key', key, 'body', body)) from page where about), '[]')`;

const DELIVERIES = query(
  'webhook-deliveries-of-receipts',
  (_db, $: OfReceipts & { afterAt: number; afterId: string }) => sql<
    KeyedPage<KeptBody, { readonly afterAt: number; readonly afterId: string }>
  >`
    with page as (
      select id as key, created_at as at, body, ${isAbout(sql`${$.ids}`)} as about from webhook_deliveries
       where merchant = ${$.merchant} and (created_at, id) > (${$.afterAt}::int8, ${$.afterId})
       order by created_at, id limit ${sql.lit(PAGE)})
    select ${FOUND} as found,
           (select jsonb_build_object('afterAt', at, 'afterId', key) from page
             where (select count(*) from page) = ${sql.lit(PAGE)} order by at desc, key desc limit 1) as last`,
  { computed: { found: 'jsonb', last: 'jsonb' }, slow: true },
);

const EVENTS = query(
  'merchant-events-of-receipts',
  (_db, $: OfReceipts & { after: string }) => sql<KeyedPage<KeptBody, string>>`
    with page as (
      select position::text as key, position, body, ${isAbout(sql`${$.ids}`)} as about from merchant_events
       where merchant = ${$.merchant} and position > ${$.after}::int8 order by position limit ${sql.lit(PAGE)})
    select ${FOUND} as found,
           (select max(position)::text from page having count(*) = ${sql.lit(PAGE)}) as last`,
  { computed: { found: 'jsonb', last: 'text' }, slow: true },
);

interface NewBodies {
  readonly keys: readonly string[];
  readonly bodies: readonly string[];
}

const SET_DELIVERIES = query(
  'webhook-deliveries-rewrite',
  (_db, $: NewBodies) => sql<{ key: string }>`
    with given as (select * from unnest(${$.keys}::text[], ${$.bodies}::text[]) as g(key, body)),
    answers as (update webhook_attempts a set answer = null from given where a.delivery_id = given.key)
    update webhook_deliveries d set body = given.body from given where d.id = given.key returning d.id as key`,
  { computed: { key: 'text' } },
);

const SET_EVENTS = query(
  'merchant-events-rewrite',
  (_db, $: NewBodies & { merchant: Wallet }) => sql<{ key: string }>`
    update merchant_events e set body = given.body
      from unnest(${$.keys}::int8[], ${$.bodies}::text[]) as given(key, body)
     where e.merchant = ${$.merchant} and e.position = given.key returning e.position::text as key`,
  { computed: { key: 'text' } },
);

/**
 * Erases the merchant's own data about receipts (`metadata`) from the kept events and deliveries, and what the
 * endpoints answered to these deliveries. The ids stay, and a delivery that is sent again has the new body.
 *
 * @param since when the first of the receipts was created, epoch ms
 */
export async function eraseBodies(
  deps: Pick<Deps, 'sql'>,
  of: OfReceipts,
  since: number,
): Promise<{ readonly events: number; readonly deliveries: number }> {
  const { merchant } = of;
  let events = 0;
  let deliveries = 0;
  const readEvents = async (after: string) => (await deps.sql.run(EVENTS, { ...of, after }))[0]!;
  await readPages('0', readEvents, async (found) => {
    events += (await deps.sql.run(SET_EVENTS, { merchant, ...withoutData(found) })).length;
  });
  const first = { afterAt: since, afterId: '' };
  const readDeliveries = async (after: typeof first) => (await deps.sql.run(DELIVERIES, { ...of, ...after }))[0]!;
  await readPages(first, readDeliveries, async (found) => {
    deliveries += (await deps.sql.run(SET_DELIVERIES, withoutData(found))).length;
  });
  return { events, deliveries };
}

/** The bodies with `metadata: null`, which receipts without metadata have too. */
function withoutData(found: readonly KeptBody[]): NewBodies {
  const erase = (name: string, value: unknown) => (name === 'metadata' ? null : value);
  return {
    keys: found.map(({ key }) => key),
    bodies: found.map(({ body }) => JSON.stringify(JSON.parse(body), erase)),
  };
}
