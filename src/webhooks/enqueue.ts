import { createHash } from 'node:crypto';
import type { JobInsert } from 'pg-boss';
import type { Deps } from '../platform/deps.ts';
import { WEBHOOK_QUEUE } from '../platform/jobs.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { ringForOwed } from './wake-workers.ts';

/** What a job of the queue says: which delivery, and whether it is the first or the second and last of its pair of attempts. */
export interface OwedJob {
  readonly deliveryId: string;
  readonly turn: 1 | 2;
}

/** How long after a first failure the second attempt starts. */
export const RETRY_DELAY_MS = 5_000;

/**
 * The endpoint that a delivery belongs to, as the queue groups it: scheme, host and path, without the query, digested because a URL may be longer than an
 * index takes. An endpoint that does not answer holds up only its own group.
 */
function endpointOf(url: string): string {
  const parsed = URL.parse(url);
  const endpoint = parsed ? parsed.origin + parsed.pathname : url;
  return createHash('sha256').update(endpoint).digest('base64url').slice(0, 22);
}

/** The job of a pair of attempts, as the queue takes it. */
export const jobFor = ({ id, url }: { readonly id: string; readonly url: string }) =>
  ({ data: { deliveryId: id, turn: 1 }, group: { id: endpointOf(url) } }) satisfies JobInsert<OwedJob>;

/** Enqueues a pair of attempts in the caller's transaction, and rings for the workers when it commits. */
export async function enqueueDelivery(
  deps: Pick<Deps, 'boss'>,
  uow: UnitOfWork,
  delivery: { readonly id: string; readonly url: string },
): Promise<void> {
  await oweAll(deps, uow, [delivery]);
}

/** The same for many deliveries. */
export async function oweAll(
  { boss }: Pick<Deps, 'boss'>,
  uow: UnitOfWork,
  deliveries: readonly { readonly id: string; readonly url: string }[],
): Promise<void> {
  await boss.insert(WEBHOOK_QUEUE, deliveries.map(jobFor), { db: uow.jobs });
  await ringForOwed(uow);
}
