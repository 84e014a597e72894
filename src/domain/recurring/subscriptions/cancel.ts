import { verifyTypedSignature } from '../../../base/chain/signatures.ts';
import type { Caller } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { AnnouncingDeps, Deps } from '../../../base/platform/deps.ts';
import { enqueueJobs, REVOKE_QUEUE } from '../../../base/platform/jobs.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { changeSubscriptions } from './change-subscriptions.ts';
import { findSubscription, requireSubscription, type SubscriptionRecord } from './read-subscriptions.ts';
import type { CancelInput } from './subscription.input.ts';

/** How long a cancellation request of the server is valid: long enough for the customer to open the wallet. */
const REQUEST_MS = 15 * 60_000;

/** The data that the customer signs to cancel without a session. */
export interface CancellationRequest {
  /** Epoch ms. */
  readonly expiresAt: number;
  /** As `eth_signTypedData_v4` takes it. */
  readonly typedData: ReturnType<typeof cancelTypedData>;
}

/** The typed data that cancels a subscription, valid for 15 minutes. Refuses with `not_found`. */
export async function requestCancellation(
  db: Db,
  now: number,
  caller: Caller,
  subscriptionId: string,
): Promise<CancellationRequest> {
  const { id, customer, chainId } = await requireSubscription(db, caller, subscriptionId);
  const expiresAt = now + REQUEST_MS;
  return {
    expiresAt,
    typedData: cancelTypedData(chainId, { subscriptionId: id, wallet: customer, expiresAt }),
  };
}

type CancelDeps = Pick<Deps, 'db' | 'bus' | 'chain' | 'chains' | 'clock' | 'settings'>;

/**
 * Ends a subscription immediately: nothing more is charged, and a revocation of the permission by the spender is
 * enqueued. Idempotent; a subscription that has ended stays unchanged. Only the subscribing customer may cancel: by its
 * session (with CSRF token), or by a signature over `cancelTypedData` in the input.
 *
 * Refuses with `not_found`, `forbidden` (another wallet; a proof that is missing, expired or from another wallet),
 * `chain_unavailable` (a smart account's signature cannot be verified now).
 */
export async function cancelSubscription(
  deps: CancelDeps,
  caller: Caller,
  { subscriptionId, wallet, signature, expiresAt }: CancelInput,
): Promise<SubscriptionRecord> {
  const subscription = await requireSubscription(deps.db, caller, subscriptionId);
  if (wallet !== subscription.customer) throw refuse('forbidden', 'Only the subscribing customer may cancel');
  const byOwnSession = caller.kind === 'session' && caller.wallet === wallet && caller.csrfProven;
  if (!byOwnSession) await requireSignature(deps, subscription, signature, expiresAt);
  return deps.db.transaction(async (uow) => (await end(deps, uow, subscription)).record);
}

/**
 * Ends a subscription of a merchant on its own wish, as `cancelSubscription` does for the customer. Refuses with
 * `not_found` for a subscription of another merchant.
 */
export async function endSubscription(
  deps: CancelDeps & AuditDeps,
  merchant: Wallet,
  subscriptionId: string,
): Promise<SubscriptionRecord> {
  const subscription = await findSubscription(deps.db, subscriptionId);
  if (subscription?.merchant !== merchant) throw refuse('not_found', 'Subscription not found');
  return deps.db.transaction(async (uow) => {
    const { cancelled, record } = await end(deps, uow, subscription);
    if (cancelled)
      await recordAudit(deps, uow, merchant, 'subscription.ended', ['subscription', record.id], {
        before: { status: subscription.status },
        after: { status: record.status },
      });
    return record;
  });
}

async function requireSignature(
  deps: Pick<Deps, 'chain' | 'chains' | 'clock'>,
  { id, customer, chainId }: SubscriptionRecord,
  signature: string | undefined,
  expiresAt: number | undefined,
): Promise<void> {
  if (signature === undefined || expiresAt === undefined)
    throw refuse(
      'forbidden',
      'Only the subscribing customer may cancel: by its session, or by a signature in the body',
    );
  const now = deps.clock();
  if (expiresAt <= now) throw refuse('forbidden', 'The signature has expired; sign again', { field: 'expiresAt' });
  if (expiresAt > now + CANCEL_SIGNATURE_MS)
    throw refuse('forbidden', 'expiresAt must be at most one hour from now', { field: 'expiresAt' });
  // A plain wallet's signature needs no chain, so a customer can cancel even if the server has lost it.
  const chain = chainOf(deps, chainId) ?? deps.chain;
  const typedData = cancelTypedData(chainId, { subscriptionId: id, wallet: customer, expiresAt });
  if (await verifyTypedSignature(chain, { wallet: customer, typedData, signature })) return;
  throw refuse('forbidden', 'The signature does not match the subscribing customer', { field: 'signature' });
}

/** Ends a subscription. `cancelled` is false for one that had ended before. */
async function end(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  { merchant, id }: SubscriptionRecord,
): Promise<{ readonly cancelled: boolean; readonly record: SubscriptionRecord }> {
  const change = { merchant, subscriptionId: id, at: deps.clock() };
  const cancelled = (await changeSubscriptions(deps, uow, 'cancelled', [change])).has(id);
  if (cancelled) await enqueueRevoke(uow, { merchant, subscriptionId: id });
  return { cancelled, record: (await findSubscription(uow, id))! };
}

/** The longest validity of a cancellation signature. */
const CANCEL_SIGNATURE_MS = 3_600_000;

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
  CancelSubscription: [
    { name: 'statement', type: 'string' },
    { name: 'subscriptionId', type: 'string' },
    { name: 'wallet', type: 'address' },
    { name: 'expiresAt', type: 'uint256' },
  ],
} as const;

/** The facts that a cancellation signature covers. `expiresAt` in epoch ms. */
export interface CancelFacts {
  readonly subscriptionId: string;
  /** The subscribing customer. */
  readonly wallet: Wallet;
  readonly expiresAt: number;
}

/**
 * The EIP-712 data that the customer signs to cancel without a session, as `eth_signTypedData_v4` takes it.
 * Deterministic: the same facts give the same data.
 */
export function cancelTypedData(chainId: number, { subscriptionId, wallet, expiresAt }: CancelFacts) {
  return {
    domain: { name: 'Quittance', version: '1', chainId },
    types,
    primaryType: 'CancelSubscription',
    message: {
      statement: 'Cancel this subscription. Nothing will be charged any more. This costs nothing and moves nothing.',
      subscriptionId,
      wallet,
      expiresAt,
    },
  } as const;
}

/** The payload of a revocation job: the subscription whose permission the spender revokes. */
export interface RevokeJob {
  readonly merchant: Wallet;
  readonly subscriptionId: string;
}

/** Enqueues the revocation of a subscription's permission in the caller's transaction. */
const enqueueRevoke = (uow: UnitOfWork, job: RevokeJob): Promise<void> => enqueueJobs(uow, REVOKE_QUEUE, [job]);
