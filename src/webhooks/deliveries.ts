import { type Kysely, sql } from 'kysely';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Database } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import { query, type RowOf } from '../platform/query.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { enqueueAll, enqueueDelivery } from './enqueue.ts';
import type { DeliveryState } from './lifecycle.ts';
import { moveDeliveries } from './move-deliveries.ts';

/** A delivery as shown to its merchant. Times in epoch ms. */
export type DeliveryRecord = RowOf<typeof ONE> & {
  /** Oldest first. */
  readonly attempts: readonly AttemptRecord[];
};

export type AttemptRecord = RowOf<typeof ATTEMPTS>;

/** The maximum length of a list. */
const MAX_LIST = 200;

interface ListParameters {
  readonly merchant: Wallet;
  readonly state: DeliveryState | null;
  readonly after: string | null;
  readonly limit: number;
}

/** Whether a filter is not given. */
const isUnset = (filter: string | null) => sql<boolean>`${filter}::text is null`;

const deliveries = (db: Kysely<Database>) =>
  db
    .selectFrom('Delivery')
    .select([
      'id',
      'receiptId',
      'seq',
      'endpointId',
      'eventId',
      'event',
      'url',
      'body',
      'state',
      'createdAt',
      'finishedAt',
    ]);

/**
 * Newest first; for equal timestamps the higher `seq` first. The next page starts after the last delivery's position,
 * which never changes.
 */
const list = (db: Kysely<Database>, $: ListParameters) =>
  deliveries(db)
    .where('merchant', '=', $.merchant)
    .where(({ eb, or }) => or([isUnset($.state), eb('state', '=', $.state)]))
    .where(({ eb, or, refTuple }) =>
      or([
        isUnset($.after),
        eb(
          refTuple('createdAt', 'seq', 'id'),
          '<',
          db
            .selectFrom('Delivery')
            .select(['createdAt', 'seq', 'id'])
            .where('merchant', '=', $.merchant)
            .where('id', '=', $.after)
            .$asTuple('createdAt', 'seq', 'id'),
        ),
      ]),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('seq', 'desc')
    .orderBy('id', 'desc')
    .limit($.limit);

const OF_MERCHANT = query('webhook-deliveries-of-merchant', list, { slow: true });
const OF_RECEIPT = query('webhook-deliveries-of-receipt', (db, $: ListParameters & { receiptId: string }) =>
  list(db, $).where('receiptId', '=', $.receiptId),
);
const ONE = query('webhook-delivery', (db, $: { id: string; merchant: Wallet | null }) =>
  deliveries(db)
    .where('id', '=', $.id)
    .where(({ eb, or }) => or([isUnset($.merchant), eb('merchant', '=', $.merchant)])),
);

const ATTEMPTS = query('webhook-attempts-of', (db, $: { ids: readonly string[] }) =>
  db
    .selectFrom('Attempt')
    .select(['deliveryId', 'number', 'at', 'durationMs', 'statusCode', 'error', 'answer'])
    .where('deliveryId', '=', (eb) => eb.fn.any(eb.val($.ids)))
    .orderBy('number'),
);

/** Selects deliveries. */
export interface DeliveryFilter {
  readonly limit?: number | null;
  /** Only those of this receipt. */
  readonly receiptId?: string | null;
  readonly state?: DeliveryState | null;
  /** Only those after this one in the list. */
  readonly after?: string | null;
}

/**
 * A merchant's deliveries with their attempts, newest first. Refuses a `limit` outside 1 to 200 with `invalid_input`.
 * The list is empty if `after` is not a delivery of the merchant.
 */
export async function listDeliveries(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  { limit, receiptId, state = null, after = null }: DeliveryFilter,
): Promise<DeliveryRecord[]> {
  const count = limit ?? 50;
  if (!Number.isInteger(count) || count < 1 || count > MAX_LIST) {
    throw refuse('invalid_input', `limit must be a whole number from 1 to ${MAX_LIST}`, { field: 'limit' });
  }
  const filter = { merchant, state, after, limit: count };
  const found = await (receiptId == null
    ? deps.sql.run(OF_MERCHANT, filter)
    : deps.sql.run(OF_RECEIPT, { ...filter, receiptId }));
  return withAttempts(deps, found);
}

/**
 * Enqueues a delivery again, with the same id and bytes and new attempts. `merchant` must own it; null for
 * the operator, who may resend any. Refuses with `not_found`.
 */
export async function redeliver(
  deps: Pick<Deps, 'orm' | 'sql' | 'boss'>,
  merchant: Wallet | null,
  deliveryId: string,
): Promise<DeliveryRecord> {
  await inTransaction(deps, async (uow) => {
    const delivery = await moveDeliveries(uow.db, 'pending', null)
      .where('Delivery.id', '=', deliveryId)
      .$if(merchant !== null, (update) => update.where('Delivery.merchant', '=', merchant))
      .returning(['Delivery.id', 'Delivery.url'])
      .executeTakeFirst();
    if (!delivery) throw refuse('not_found', 'Delivery not found');
    await enqueueDelivery(deps, uow, delivery);
  });
  return readDelivery(deps, merchant, deliveryId);
}

const AT_ONCE = 500;

/**
 * Enqueues every delivery that failed, of events since `sinceMs` (epoch ms) and of all merchants, with the same ids and
 * bytes and new attempts each. Works page by page. Returns the number of deliveries.
 */
export async function redeliverFailed(deps: Pick<Deps, 'orm' | 'boss'>, sinceMs: number): Promise<number> {
  const merchants = await inTransaction(deps, ({ db }) => db.selectFrom('Merchant').select('wallet').execute());
  let count = 0;
  for (const { wallet } of merchants) {
    for (let page = AT_ONCE; page === AT_ONCE; count += page) {
      page = await inTransaction(deps, async (uow) => {
        const failed = await moveDeliveries(uow.db, 'pending', null)
          .where('Delivery.id', 'in', failedSince(uow, wallet, sinceMs))
          .returning(['Delivery.id', 'Delivery.url'])
          .execute();
        if (failed.length > 0) await enqueueAll(deps, uow, failed);
        return failed.length;
      });
    }
  }
  return count;
}

const failedSince = ({ db }: UnitOfWork, merchant: Wallet, sinceMs: number) =>
  db
    .selectFrom('Delivery')
    .select('id')
    .where('merchant', '=', merchant)
    .where('createdAt', '>=', sinceMs)
    .where('state', '=', 'failed')
    .orderBy('createdAt')
    .limit(AT_ONCE)
    .forUpdate()
    .skipLocked();

/** One delivery with its attempts. `merchant` must own it; null for the operator. Refuses with `not_found`. */
export async function readDelivery(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet | null,
  deliveryId: string,
): Promise<DeliveryRecord> {
  const [record] = await withAttempts(deps, await deps.sql.run(ONE, { id: deliveryId, merchant }));
  if (!record) throw refuse('not_found', 'Delivery not found');
  return record;
}

async function withAttempts(
  deps: Pick<Deps, 'sql'>,
  deliveries: readonly RowOf<typeof ONE>[],
): Promise<DeliveryRecord[]> {
  if (deliveries.length === 0) return [];
  const ids = deliveries.map((delivery) => delivery.id);
  const rows = await deps.sql.run(ATTEMPTS, { ids });
  const byDelivery = Map.groupBy(rows, (row) => row.deliveryId);
  return deliveries.map((delivery) => ({ ...delivery, attempts: byDelivery.get(delivery.id) ?? [] }));
}
