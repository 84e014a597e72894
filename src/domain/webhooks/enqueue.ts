import { createHash } from 'node:crypto';
import type { JobInsert } from 'pg-boss';
import type { Deps } from '../../base/platform/deps.ts';
import { WEBHOOK_QUEUE } from '../../base/platform/jobs.ts';
import type { UnitOfWork } from '../../base/platform/unit-of-work.ts';
import { notifyWorkers } from './wake-workers.ts';

/** The data of a job. */
export interface DeliveryJob {
  readonly deliveryId: string;
  /** The number of the next attempt, from 1. A redelivery is a new job and begins again. */
  readonly attempt: number;
}

/** The number of a job's next attempt. Jobs of version 0.1 and older have it as `turn`. */
export const attemptOf = ({ attempt = 1, turn = 1 }: Partial<DeliveryJob> & { readonly turn?: number }): number =>
  Math.max(attempt, turn);

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The delay before each further attempt of a receipt's webhook, after the failure of the one before. */
const RECEIPT_DELAYS_MS: readonly number[] = [5 * SECOND_MS];
/** The same for an event that is sent to an endpoint. */
const ENDPOINT_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** The delay after the failure of a delivery's attempt with this number; null after the last one. */
export const retryDelayMs = ({ endpointId }: { readonly endpointId: string | null }, attempt: number): number | null =>
  (endpointId === null ? RECEIPT_DELAYS_MS : ENDPOINT_DELAYS_MS)[attempt - 1] ?? null;

/**
 * The endpoint of a delivery, used as the queue's group: a digest of scheme, host and path without the query. A URL may
 * be too long for an index. An unresponsive endpoint delays only its own group.
 */
function endpointOf(url: string): string {
  const parsed = URL.parse(url);
  const endpoint = parsed ? parsed.origin + parsed.pathname : url;
  return createHash('sha256').update(endpoint).digest('base64url').slice(0, 22);
}

/** The job that delivers, in the queue's form. */
export const jobFor = ({ id, url }: { readonly id: string; readonly url: string }) =>
  ({ data: { deliveryId: id, attempt: 1 }, group: { id: endpointOf(url) } }) satisfies JobInsert<DeliveryJob>;

/** Enqueues the attempts of a delivery in the caller's transaction, and notifies the workers on commit. */
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
