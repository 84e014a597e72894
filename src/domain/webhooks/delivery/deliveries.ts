import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { type KeysetOrder, keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { walkQuery } from '../../../base/platform/sweep.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { enqueueDeliveries } from './queue.ts';
import { type DeliveryState, moveDeliveries } from './state.ts';

/** A delivery as shown to its merchant. Times in epoch ms. */
export type DeliveryRecord = RowOf<typeof ONE> & {
  /** Oldest first. */
  readonly attempts: readonly AttemptRecord[];
};

export type AttemptRecord = RowOf<typeof ATTEMPTS>;

/** Whether a filter is not given. */
const isUnset = (filter: string | null) => sql<boolean>`${filter}::text is null`;

const COLUMNS = [
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
] as const;

/** Newest first; for equal timestamps the higher `seq` first. */
const ORDER: KeysetOrder = {
  name: 'webhook-deliveries',
  direction: 'desc',
  keys: [
    { name: 'createdAt', type: 'int8' },
    { name: 'seq', type: 'int4' },
    { name: 'id', type: 'text' },
  ],
};

interface Conditions {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly endpointId: string;
  readonly state: DeliveryState;
}
type Condition = 'receiptId' | 'endpointId' | 'state';

const listBy = (...conditions: readonly Condition[]) =>
  keysetList(['webhook-deliveries', ...conditions].join(' '), {
    order: ORDER,
    from: (db, $: Conditions) => {
      let rows = db.selectFrom('Delivery').where('merchant', '=', $.merchant);
      for (const condition of conditions) rows = rows.where(condition, '=', $[condition]);
      return rows;
    },
    select: (rows) => rows.select(COLUMNS),
    slow: !conditions.includes('receiptId') && !conditions.includes('endpointId'),
  });

/** A delivery is that of a receipt or that of an endpoint. */
type Subject = 'receiptId' | 'endpointId' | null;

const LISTS = new Map(
  [null, 'receiptId' as const, 'endpointId' as const].map((subject: Subject) => {
    const conditions = subject === null ? [] : [subject];
    return [subject, { ofAny: listBy(...conditions), ofOne: listBy(...conditions, 'state') }];
  }),
);

const ONE = query('webhook-delivery', (db, $: { id: string; merchant: Wallet | null }) =>
  db
    .selectFrom('Delivery')
    .select(COLUMNS)
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
  /** Only those of this receipt. */
  readonly receiptId?: string | null;
  /** Only those to this endpoint. */
  readonly endpointId?: string | null;
  readonly state?: DeliveryState | null;
}

/** A merchant's deliveries with their attempts, newest first. Refuses a receipt together with an endpoint. */
export function listDeliveries(
  db: Db,
  merchant: Wallet,
  { receiptId, endpointId, state }: DeliveryFilter = {},
): Listing<DeliveryRecord> {
  if (receiptId != null && endpointId != null) {
    throw refuse('invalid_input', 'endpointId must not be given together with receiptId', { field: 'endpointId' });
  }
  const subject = receiptId != null ? 'receiptId' : endpointId != null ? 'endpointId' : null;
  const lists = LISTS.get(subject)!;
  const conditions = { merchant, receiptId, endpointId, state } as Conditions;
  return listing(db, state == null ? lists.ofAny : lists.ofOne, conditions, merchant, (found) =>
    withAttempts(db, found),
  );
}

/**
 * Enqueues a delivery again, with the same id and bytes and new attempts. `merchant` must own it; null for
 * the operator, who may resend any. Refuses with `not_found`.
 */
export async function redeliver(
  deps: WritingDeps,
  merchant: Wallet | null,
  deliveryId: string,
): Promise<DeliveryRecord> {
  await deps.db.transaction(async (uow) => {
    const delivery = await moveDeliveries(uow.db, 'pending', null)
      .where('Delivery.id', '=', deliveryId)
      .$if(merchant !== null, (update) => update.where('Delivery.merchant', '=', merchant))
      .returning(['Delivery.id', 'Delivery.url', 'Delivery.merchant'])
      .executeTakeFirst();
    if (!delivery) throw refuse('not_found', 'Delivery not found');
    await enqueueDeliveries(uow, [delivery]);
    await recordAudit(deps, uow, delivery.merchant, 'webhook.replayed', ['delivery', deliveryId], {
      after: { queued: 1 },
    });
  });
  return readDelivery(deps.db, merchant, deliveryId);
}

/** One delivery with its attempts. `merchant` must own it; null for the operator. Refuses with `not_found`. */
export async function readDelivery(db: Db, merchant: Wallet | null, deliveryId: string): Promise<DeliveryRecord> {
  const [record] = await withAttempts(db, await db.run(ONE, { id: deliveryId, merchant }));
  if (!record) throw refuse('not_found', 'Delivery not found');
  return record;
}

async function withAttempts(db: Db, deliveries: readonly RowOf<typeof ONE>[]): Promise<DeliveryRecord[]> {
  if (deliveries.length === 0) return [];
  const ids = deliveries.map((delivery) => delivery.id);
  const rows = await db.run(ATTEMPTS, { ids });
  const byDelivery = Map.groupBy(rows, (row) => row.deliveryId);
  return deliveries.map((delivery) => ({ ...delivery, attempts: byDelivery.get(delivery.id) ?? [] }));
}

/** Deletes the deliveries whose last attempt ended before a time, with their attempts. A pending one stays. */
export const DELETE_DELIVERIES = walkQuery('webhook-deliveries-delete', {
  table: 'webhook_deliveries',
  key: ['id'],
  isDue: (before) => sql`t.state <> 'pending' and t.finished_at < ${before}`,
  also: sql`, attempts as (delete from webhook_attempts a using gone where a.delivery_id = gone.id)`,
});
