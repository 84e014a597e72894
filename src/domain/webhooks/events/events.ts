import { type Kysely, type RawBuilder, sql } from 'kysely';
import { idFor } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type ColumnTypes, type RowList, rowList, rowsIn } from '../../../base/platform/postgres/row-list.ts';
import { type KeyedPage, readPages } from '../../../base/platform/sweep.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { EventKind } from './kinds.ts';

/** An event to store. */
export interface RaisedEvent {
  readonly merchant: Wallet;
  readonly kind: EventKind;
  /** Names what is reported, unique for the merchant: an event with the same source is stored once. */
  readonly source: string;
  /** When it happened, epoch ms. */
  readonly at: number;
  readonly data: object;
  /** The transaction that it happened in; this one by default. */
  readonly txid?: string;
}

interface EventRow {
  readonly merchant: Wallet;
  readonly id: string;
  readonly kind: EventKind;
  readonly source: string;
  readonly body: string;
  readonly createdAt: number;
  readonly txid: string | null;
}

const ROW: ColumnTypes<EventRow> = {
  merchant: 'text',
  id: 'text',
  kind: 'text',
  source: 'text',
  body: 'text',
  createdAt: 'bigint',
  txid: 'text',
};
const GIVEN = ['merchant', 'id', 'kind', 'source', 'body', 'createdAt'] as const;

const RAISE = query('webhook-events-raise', (db, $: { events: RowList<EventRow> }) => {
  const given = rowsIn($.events, 'given', ROW);
  return db
    .insertInto('MerchantEvent')
    .columns([...GIVEN, 'txid'])
    .expression((eb) =>
      eb
        .selectFrom(given.table)
        .select(given.select(GIVEN))
        .select(sql<string>`coalesce(${given.columns.txid}::xid8, pg_current_xact_id())`.as('xid')),
    )
    .onConflict((known) => known.columns(['merchant', 'source']).doNothing());
});

/**
 * Stores events in the caller's transaction. After the commit they reach the merchant's feed and its endpoints. The id
 * follows from the content, without the time: what is found again after a restore has the id that it had before.
 */
export async function raiseEvents(uow: UnitOfWork, events: readonly RaisedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ merchant, kind, source, at, data, txid = null }) => {
    const id = idFor('evt', [merchant, source, data]);
    return { merchant, id, kind, source, createdAt: at, txid, body: bodyOf({ id, kind, at, data }) };
  });
  await uow.run(RAISE, { events: rowList(rows) });
}

/** The body of an event, as it is sent and signed. */
export const bodyOf = (event: { id: string; kind: string; at: number; data: object }): string =>
  JSON.stringify({ id: event.id, type: event.kind, createdAt: event.at, data: event.data });

/** Deletes events that happened before a time, epoch ms: at most `limit`, the oldest first. */
export const deleteEvents = (db: Kysely<Database>, before: number, limit: number) =>
  db
    .deleteFrom('MerchantEvent')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('merchant', 'position'),
        'in',
        selectFrom('MerchantEvent')
          .select(['merchant', 'position'])
          .where('createdAt', '<', before)
          .orderBy('createdAt')
          .limit(sql.lit(limit))
          .$asTuple('merchant', 'position'),
      ),
    )
    .returning(['merchant', 'txid']);

/** The rows that one statement reads. */
export const ERASED_PAGE = 1_000;

/** A kept body, with its key. */
export interface KeptBody {
  readonly key: string;
  readonly body: string;
}

/** The receipts whose data is erased. */
export interface OfReceipts {
  readonly merchant: Wallet;
  readonly ids: readonly string[];
}

/** The receipt that a body reports: every body names it before the merchant's own data. */
export const isAbout = (ids: RawBuilder<unknown>) =>
  sql`substring(body from '"receiptId":"([^"]*)"') = any(${ids}::text[])`;
/** The bodies of a page that are about the receipts. */
export const FOUND = sql`coalesce((select jsonb_agg(jsonb_build_object('key', key, 'body', body)) from page where about), '[]')`;

const EVENTS = query(
  'merchant-events-of-receipts',
  (_db, $: OfReceipts & { after: string }) => sql<KeyedPage<KeptBody, string>>`
    with page as (
      select position::text as key, position, body, ${isAbout(sql`${$.ids}`)} as about from merchant_events
       where merchant = ${$.merchant} and position > ${$.after}::int8 order by position limit ${sql.lit(ERASED_PAGE)})
    select ${FOUND} as found,
           (select max(position)::text from page having count(*) = ${sql.lit(ERASED_PAGE)}) as last`,
  { computed: { found: 'jsonb', last: 'text' }, slow: true },
);

interface NewBodies {
  readonly keys: readonly string[];
  readonly bodies: readonly string[];
}

const SET_EVENTS = query(
  'merchant-events-rewrite',
  (_db, $: NewBodies & { merchant: Wallet }) => sql<{ key: string }>`
    update merchant_events e set body = given.body
      from unnest(${$.keys}::int8[], ${$.bodies}::text[]) as given(key, body)
     where e.merchant = ${$.merchant} and e.position = given.key returning e.position::text as key`,
  { computed: { key: 'text' } },
);

/** Erases the merchant's own data about receipts (`metadata`, `note`) from the kept events. Returns their number. */
export async function eraseEvents(db: Db, of: OfReceipts): Promise<number> {
  const { merchant } = of;
  let events = 0;
  const read = async (after: string) => (await db.run(EVENTS, { ...of, after }))[0]!;
  await readPages('0', read, async (found) => {
    events += (await db.run(SET_EVENTS, { merchant, ...withoutData(found) })).length;
  });
  return events;
}

/** The bodies with null as `metadata` and as `note`, as receipts and refunds without them have it too. */
export function withoutData(found: readonly KeptBody[]): NewBodies {
  const erase = (name: string, value: unknown) => (name === 'metadata' || name === 'note' ? null : value);
  return {
    keys: found.map(({ key }) => key),
    bodies: found.map(({ body }) => JSON.stringify(JSON.parse(body), erase)),
  };
}
