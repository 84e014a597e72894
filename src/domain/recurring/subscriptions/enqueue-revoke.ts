import type { Wallet } from '../../../base/core/wallet.ts';
import { enqueueJobs, REVOKE_QUEUE } from '../../../base/platform/jobs.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';

/** The payload of a revocation job: the subscription whose permission the spender revokes. */
export interface RevokeJob {
  readonly merchant: Wallet;
  readonly subscriptionId: string;
}

/** Enqueues the revocation of a subscription's permission in the caller's transaction. */
export const enqueueRevoke = (uow: UnitOfWork, job: RevokeJob): Promise<void> => enqueueJobs(uow, REVOKE_QUEUE, [job]);
