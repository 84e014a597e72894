import { createHash } from 'node:crypto';
import type { JobInsert } from 'pg-boss';
import type { Deps } from '../platform/deps.ts';
import { WEBHOOK_QUEUE } from '../platform/jobs.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { notifyWorkers } from './wake-workers.ts';

/** The data of a job: the delivery, and whether it is the first or the second attempt of its pair. */
export interface DeliveryJob {
  readonly deliveryId: string;
  readonly turn: 1 | 2;
}

/** The delay between the failure of a first attempt and the second. */
export const RETRY_DELAY_MS = 5_000;

/**
 * The endpoint of a delivery, used as the queue's group: a digest of scheme, host and path without the query. A URL may
 * be too long for an index. An unresponsive endpoint delays only its own group.
 */
function endpointOf(url: string): string {
  const parsed = URL.parse(url);
  const endpoint = parsed ? parsed.origin + parsed.pathname : url;
  return createHash('sha256').update(endpoint).digest('base64url').slice(0, 22);
}

/** The job of a pair of attempts, in the queue's form. */
export const jobFor = ({ id, url }: { readonly id: string; readonly url: string }) =>
  ({ data: { deliveryId: id, turn: 1 }, group: { id: endpointOf(url) } }) satisfies JobInsert<DeliveryJob>;

/** Enqueues a pair of attempts in the caller's transaction, and notifies the workers on commit. */
export async function enqueueDelivery(
  deps: Pick<Deps, 'boss'>,
  uow: UnitOfWork,
  delivery: { readonly id: string; readonly url: string },
): Promise<void> {
  await enqueueAll(deps, uow, [delivery]);
}

/** The same for many deliveries. */
export async function enqueueAll(
  { boss }: Pick<Deps, 'boss'>,
  uow: UnitOfWork,
  deliveries: readonly { readonly id: string; readonly url: string }[],
): Promise<void> {
  await boss.insert(WEBHOOK_QUEUE, deliveries.map(jobFor), { db: uow.jobs });
  await notifyWorkers(uow);
}
