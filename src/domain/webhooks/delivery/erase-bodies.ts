import { sql } from 'kysely';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type KeyedPage, readPages } from '../../../base/platform/sweep.ts';
import {
  ERASED_PAGE,
  eraseEvents,
  FOUND,
  isAbout,
  type KeptBody,
  type OfReceipts,
  withoutData,
} from '../events/events.ts';

const DELIVERIES = query(
  'webhook-deliveries-of-receipts',
  (_db, $: OfReceipts & { afterAt: number; afterId: string }) => sql<
    KeyedPage<KeptBody, { readonly afterAt: number; readonly afterId: string }>
  >`
    with page as (
      select id as key, created_at as at, body, ${isAbout(sql`${$.ids}`)} as about from webhook_deliveries
       where merchant = ${$.merchant} and (created_at, id) > (${$.afterAt}::int8, ${$.afterId})
       order by created_at, id limit ${sql.lit(ERASED_PAGE)})
    select ${FOUND} as found,
           (select jsonb_build_object('afterAt', at, 'afterId', key) from page
             where (select count(*) from page) = ${sql.lit(ERASED_PAGE)} order by at desc, key desc limit 1) as last`,
  { computed: { found: 'jsonb', last: 'jsonb' }, slow: true },
);

const SET_DELIVERIES = query(
  'webhook-deliveries-rewrite',
  (_db, $: ReturnType<typeof withoutData>) => sql<{ key: string }>`
    with given as (select * from unnest(${$.keys}::text[], ${$.bodies}::text[]) as g(key, body)),
    answers as (update webhook_attempts a set answer = null from given where a.delivery_id = given.key)
    update webhook_deliveries d set body = given.body from given where d.id = given.key returning d.id as key`,
  { computed: { key: 'text' } },
);

/**
 * Erases the merchant's own data about receipts (`metadata`) from the kept events and deliveries, and what the
 * endpoints answered to these deliveries. The ids stay, and a delivery that is sent again has the new body.
 *
 * @param since when the first of the receipts was created, epoch ms
 */
export async function eraseBodies(
  db: Db,
  of: OfReceipts,
  since: number,
): Promise<{ readonly events: number; readonly deliveries: number }> {
  const events = await eraseEvents(db, of);
  let deliveries = 0;
  const first = { afterAt: since, afterId: '' };
  const readDeliveries = async (after: typeof first) => (await db.run(DELIVERIES, { ...of, ...after }))[0]!;
  await readPages(first, readDeliveries, async (found) => {
    deliveries += (await db.run(SET_DELIVERIES, withoutData(found))).length;
  });
  return { events, deliveries };
}
