import type { StatusUpdated } from '../core/events.ts';
import { newUuid } from '../core/ids.ts';
import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { enqueueDelivery } from './enqueue.ts';
import { payloadOf } from './payload.ts';
import { EVENT } from './sign.ts';

/**
 * Enqueues an event for a merchant's endpoint in the caller's transaction: writes the delivery with its final body, and
 * the job that sends it.
 */
export async function enqueueEvent(deps: Pick<Deps, 'boss'>, uow: UnitOfWork, event: StatusUpdated): Promise<void> {
  const [merchant] = await uow.sql<{ brand_key: string }>('select brand_key from merchants where wallet = $1', [
    event.merchant,
  ]);
  if (!merchant) throw new Error(`There is no merchant ${event.merchant}`);
  const id = newUuid();
  await uow.sql(
    `insert into webhook_deliveries (id, merchant, receipt_id, seq, event, url, key_id, body, state, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9)`,
    [
      id,
      event.merchant,
      event.receiptId,
      event.seq,
      EVENT,
      event.webhookUrl,
      event.keyId,
      JSON.stringify(payloadOf(event, merchant.brand_key)),
      event.at,
    ],
  );
  await enqueueDelivery(deps, uow, { id, url: event.webhookUrl });
}
