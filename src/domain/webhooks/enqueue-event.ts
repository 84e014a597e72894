import type { StatusUpdated } from '../../base/core/events.ts';
import { uuidFor } from '../../base/core/ids.ts';
import type { Deps } from '../../base/platform/deps.ts';
import type { UnitOfWork } from '../../base/platform/unit-of-work.ts';
import { BRAND_KEY } from './brand-key.ts';
import { enqueueDelivery } from './enqueue.ts';
import { payloadOf } from './payload.ts';
import { EVENT } from './sign.ts';

/**
 * Enqueues an event for a merchant's endpoint in the caller's transaction: writes the delivery with its final body, and
 * the job that sends it.
 */
export async function enqueueEvent(deps: Pick<Deps, 'boss'>, uow: UnitOfWork, event: StatusUpdated): Promise<void> {
  const { merchant, receiptId, seq, keyId, webhookUrl: url, at: createdAt } = event;
  const [brand] = await uow.run(BRAND_KEY, { merchant });
  if (!brand) throw new Error(`There is no merchant ${merchant}`);
  const payload = payloadOf(event, brand.brandKey);
  const body = JSON.stringify(payload);
  // After a restore the same change is made again, at another time: its webhook has the id that it had before.
  const id = uuidFor([merchant, { ...payload, timestamp: 0 }]);
  await uow.db
    .insertInto('Delivery')
    .values({ id, merchant, receiptId, seq, event: EVENT, url, keyId, body, state: 'pending', createdAt })
    .execute();
  await enqueueDelivery(deps, uow, { id, url });
}
