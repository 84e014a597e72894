import { sql } from 'kysely';
import { uuidFor } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { DATABASE_MS } from '../../../base/platform/jobs.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { type ColumnTypes, type RowList, rowList, rowsIn } from '../../../base/platform/postgres/row-list.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { disableEndpoints } from '../endpoints/state.ts';
import { selects } from '../events/kinds.ts';
import { enqueueDeliveries } from './queue.ts';

/** The enabled endpoints, and whether the key that registered each has ended, and those that it was rotated into. */
const ENDPOINTS = query(
  'webhook-endpoints-enabled',
  (db, $: { merchant: Wallet }) =>
    db
      .selectFrom('WebhookEndpoint as e')
      .select(['e.id', 'e.url', 'e.kinds', 'e.enabledAt', DATABASE_MS.as('now')])
      .select(
        sql<boolean>`e.key_id is not null and not exists (
          select from api_keys k where k.merchant = e.merchant and coalesce(k.first_id, k.id) = e.key_id
             and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${DATABASE_MS}))`.as('keyEnded'),
      )
      .where('e.merchant', '=', $.merchant)
      .where('e.state', '=', 'enabled')
      .orderBy('e.id'),
  { computed: { now: 'int8', keyEnded: 'bool' } },
);

interface Range {
  readonly merchant: Wallet;
  /** Transactions, without the first and with the last. */
  readonly after: string;
  readonly through: string;
  /** Epoch ms. */
  readonly since: number;
}

const EVENTS = query('webhook-events-to-dispatch', (db, $: Range) =>
  db
    .selectFrom('MerchantEvent')
    .select(['id', 'kind', 'body', 'createdAt'])
    .where('merchant', '=', $.merchant)
    .where('txid', '>', $.after)
    .where('txid', '<=', $.through)
    .where('createdAt', '>=', $.since)
    .orderBy('txid')
    .orderBy('position'),
);

interface NewDelivery {
  readonly id: string;
  readonly merchant: Wallet;
  readonly endpointId: string;
  readonly eventId: string;
  readonly event: string;
  readonly url: string;
  readonly body: string;
  readonly createdAt: number;
}

const DELIVERY: ColumnTypes<NewDelivery> = {
  id: 'text',
  merchant: 'text',
  endpointId: 'text',
  eventId: 'text',
  event: 'text',
  url: 'text',
  body: 'text',
  createdAt: 'bigint',
};
const COLUMNS = Object.keys(DELIVERY) as (keyof NewDelivery)[];

const INSERT = query('webhook-deliveries-insert', (db, $: { deliveries: RowList<NewDelivery> }) => {
  const given = rowsIn($.deliveries, 'given', DELIVERY);
  return db
    .insertInto('Delivery')
    .columns([...COLUMNS, 'seq', 'state'])
    .expression((eb) =>
      eb
        .selectFrom(given.table)
        .select(given.select(COLUMNS))
        .select([eb.lit(0).as('n'), eb.val('pending').as('first')]),
    )
    .onConflict((known) => known.columns(['endpointId', 'eventId']).where('endpointId', 'is not', null).doNothing())
    .returning(['id', 'url']);
});

/**
 * Enqueues the events of a range of transactions for the merchant's enabled endpoints that select their kinds, in the
 * caller's transaction. An event reaches an endpoint once, also if a range is repeated, and only if it happened since
 * the endpoint was enabled. An endpoint whose key has ended is disabled.
 */
export async function dispatchEvents(uow: UnitOfWork, range: Omit<Range, 'since'>): Promise<void> {
  const { merchant } = range;
  const enabled = await uow.run(ENDPOINTS, { merchant });
  const ended = enabled.filter(({ keyEnded }) => keyEnded);
  if (ended.length > 0)
    await disableEndpoints(uow.db, 'key_ended', ended[0]!.now)
      .where('merchant', '=', merchant)
      .where(
        'id',
        'in',
        ended.map(({ id }) => id),
      )
      .execute();
  const endpoints = enabled.filter(({ keyEnded }) => !keyEnded);
  if (endpoints.length === 0) return;
  const since = Math.min(...endpoints.map(({ enabledAt }) => enabledAt));
  const events = await uow.run(EVENTS, { ...range, since });
  const deliveries = events.flatMap((event) => endpoints.filter(receives(event)).map(deliveryOf(merchant, event)));
  if (deliveries.length === 0) return;
  const inserted = await uow.run(INSERT, { deliveries: rowList(deliveries) });
  if (inserted.length > 0) await enqueueDeliveries(uow, inserted);
}

type Endpoint = RowOf<typeof ENDPOINTS>;
type Event = RowOf<typeof EVENTS>;

const receives =
  ({ kind, createdAt }: Event) =>
  ({ kinds, enabledAt }: Endpoint): boolean =>
    enabledAt <= createdAt && selects(kinds, kind);

const deliveryOf =
  (merchant: Wallet, { id: eventId, kind: event, body, createdAt }: Event) =>
  ({ id: endpointId, url }: Endpoint): NewDelivery => ({
    id: uuidFor([endpointId, eventId]),
    merchant,
    endpointId,
    eventId,
    event,
    url,
    body,
    createdAt,
  });
