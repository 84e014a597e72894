import { sql } from 'kysely';
import { idFor } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type ColumnTypes, type RowList, rowList, rowsIn } from '../../../base/platform/postgres/row-list.ts';
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
