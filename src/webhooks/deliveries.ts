import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { enqueueAll, enqueueDelivery } from './enqueue.ts';

/** A delivery as shown to its merchant. Times in epoch ms. */
export interface DeliveryRecord {
  readonly id: string;
  readonly receiptId: string;
  readonly seq: number;
  readonly event: string;
  readonly url: string;
  readonly body: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly createdAt: number;
  readonly finishedAt: number | null;
  /** Oldest first. */
  readonly attempts: readonly AttemptRecord[];
}

export interface AttemptRecord {
  readonly number: number;
  readonly at: number;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

/** The maximum length of a list. */
const MAX_LIST = 200;

const FIELDS = `id, receipt_id as "receiptId", seq, event, url, body, state, created_at as "createdAt", finished_at as "finishedAt"`;

/**
 * Newest first; for equal timestamps the higher `seq` first. The next page starts after the last delivery's position,
 * which never changes.
 */
const ORDER = 'created_at desc, seq desc, id desc';
const REST = `merchant = $1 and ($2::text is null or state = $2)
  and ($3::text is null or (created_at, seq, id) < (select created_at, seq, id from webhook_deliveries where merchant = $1 and id = $3))`;
const ofMerchant = statement(
  'webhook-deliveries-of-merchant',
  `select ${FIELDS} from webhook_deliveries where ${REST} order by ${ORDER} limit $4`,
  { slow: true },
);
const ofReceipt = statement(
  'webhook-deliveries-of-receipt',
  `select ${FIELDS} from webhook_deliveries where ${REST} and receipt_id = $5 order by ${ORDER} limit $4`,
);
const one = statement(
  'webhook-delivery',
  `select ${FIELDS} from webhook_deliveries where id = $1 and ($2::text is null or merchant = $2)`,
);

const attemptsOf = statement(
  'webhook-attempts-of',
  `select delivery_id as "deliveryId", number, at, duration_ms as "durationMs", status_code as "statusCode", error, answer
   from webhook_attempts where delivery_id = any($1) order by number`,
);

/** Selects deliveries. */
export interface DeliveryFilter {
  readonly limit?: number | null;
  /** Only those of this receipt. */
  readonly receiptId?: string | null;
  readonly state?: DeliveryRecord['state'] | null;
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
  const filter = [merchant, state, after, count];
  const found =
    receiptId == null
      ? await deps.sql.rows<DeliveryRecord>(ofMerchant, filter)
      : await deps.sql.rows<DeliveryRecord>(ofReceipt, [...filter, receiptId]);
  return withAttempts(deps, found);
}

/**
 * Enqueues a delivery again, with the same id and bytes and a new pair of attempts. `merchant` must own it; null for
 * the operator, who may resend any. Refuses with `not_found`.
 */
export async function redeliver(
  deps: Pick<Deps, 'orm' | 'sql' | 'boss'>,
  merchant: Wallet | null,
  deliveryId: string,
): Promise<DeliveryRecord> {
  await inTransaction(deps, async (uow) => {
    const [delivery] = await uow.sql<{ id: string; url: string }>(
      `update webhook_deliveries set state = 'pending', finished_at = null
       where id = $1 and ($2::text is null or merchant = $2) returning id, url`,
      [deliveryId, merchant],
    );
    if (!delivery) throw refuse('not_found', 'Delivery not found');
    await enqueueDelivery(deps, uow, delivery);
  });
  return readDelivery(deps, merchant, deliveryId);
}

const AT_ONCE = 500;

/**
 * Enqueues every delivery that failed, of events since `sinceMs` (epoch ms) and of all merchants, with the same ids and
 * bytes and a new pair of attempts each. Works page by page. Returns the number of deliveries.
 */
export async function redeliverFailed(deps: Pick<Deps, 'orm' | 'boss'>, sinceMs: number): Promise<number> {
  const merchants = await inTransaction(deps, (uow) => uow.sql<{ wallet: Wallet }>('select wallet from merchants'));
  let count = 0;
  for (const { wallet } of merchants) {
    for (let page = AT_ONCE; page === AT_ONCE; count += page) {
      page = await inTransaction(deps, async (uow) => {
        const failed = await uow.sql<{ id: string; url: string }>(
          `update webhook_deliveries set state = 'pending', finished_at = null
           where id in (select id from webhook_deliveries where merchant = $1 and created_at >= $2 and state = 'failed'
                        order by created_at limit ${AT_ONCE} for update skip locked)
           returning id, url`,
          [wallet, sinceMs],
        );
        if (failed.length > 0) await enqueueAll(deps, uow, failed);
        return failed.length;
      });
    }
  }
  return count;
}

/** One delivery with its attempts. `merchant` must own it; null for the operator. Refuses with `not_found`. */
export async function readDelivery(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet | null,
  deliveryId: string,
): Promise<DeliveryRecord> {
  const [record] = await withAttempts(deps, await deps.sql.rows<DeliveryRecord>(one, [deliveryId, merchant]));
  if (!record) throw refuse('not_found', 'Delivery not found');
  return record;
}

async function withAttempts(deps: Pick<Deps, 'sql'>, deliveries: readonly DeliveryRecord[]): Promise<DeliveryRecord[]> {
  if (deliveries.length === 0) return [];
  const ids = deliveries.map((delivery) => delivery.id);
  const rows = await deps.sql.rows<AttemptRecord & { deliveryId: string }>(attemptsOf, [ids]);
  const byDelivery = Map.groupBy(rows, (row) => row.deliveryId);
  return deliveries.map((delivery) => ({ ...delivery, attempts: byDelivery.get(delivery.id) ?? [] }));
}
