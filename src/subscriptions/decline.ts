import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { FailureCode } from '../receipts/failures.ts';
import { type NewSubscriptionEvent, recordSubscriptionEvents } from './record-event.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';

type DeclineDeps = Pick<Deps, 'bus' | 'clock'>;

const DAY_MS = 86_400_000;

/** A failed charge is retried this many days after its first failure, in block time; then the subscription expires. */
const RETRY_DAYS = [1, 3, 5, 7] as const;

/** A charge that failed for a reason on the customer's side. */
export interface Declined {
  readonly merchant: Wallet;
  readonly subscriptionId: string;
  readonly failure: FailureCode;
  /** The block's time, epoch ms. */
  readonly atMs: number;
  readonly chargeId?: string;
  readonly receiptId?: string;
  readonly transactionHash?: `0x${string}`;
}

interface ChargeState {
  readonly status: SubscriptionStatus;
  readonly attempts: number;
  readonly nextChargeAt: number | null;
  readonly pastDueSince: number | null;
}

/**
 * Records a failed charge: the subscription becomes past due and is retried on days 1, 3, 5 and 7; after the last retry
 * it expires. `ifDueAt` prevents counting one failure twice: the subscription changes only if its next charge is still
 * due at that time.
 *
 * @returns the time of the next retry, epoch ms; null if there is none
 */
export async function declineCharge(
  deps: DeclineDeps,
  uow: UnitOfWork,
  declined: Declined,
  ifDueAt?: number | null,
): Promise<number | null> {
  const { merchant, subscriptionId, failure, atMs } = declined;
  const [before] = await uow.sql<ChargeState>(
    `select status, attempts, next_charge_at as "nextChargeAt", past_due_since as "pastDueSince" from subscriptions
      where merchant = $1 and id = $2 and status in ('active', 'past_due') for update`,
    [merchant, subscriptionId],
  );
  if (!before) return null;
  const { nextChargeAt } = before;
  if (ifDueAt != null && Number(nextChargeAt) !== ifDueAt) return nextChargeAt === null ? null : Number(nextChargeAt);
  const since = before.pastDueSince === null ? atMs : Number(before.pastDueSince);
  const days = RETRY_DAYS[before.attempts];
  const next = days === undefined ? null : since + days * DAY_MS;
  const status = next === null ? 'expired' : 'past_due';
  await uow.sql(
    `update subscriptions set status = $3, attempts = attempts + 1, last_failure = $4, past_due_since = $5, next_charge_at = $6, updated_at = $7
      where merchant = $1 and id = $2`,
    [merchant, subscriptionId, status, failure, since, next, deps.clock()],
  );
  const { chargeId, receiptId, transactionHash } = declined;
  const event: NewSubscriptionEvent = {
    merchant,
    subscriptionId,
    kind: 'charge_failed',
    status,
    chargeId,
    receiptId,
    transactionHash,
    failure,
    at: atMs,
  };
  const events = status === 'expired' ? [event, { ...event, kind: 'expired' as const }] : [event];
  await recordSubscriptionEvents(deps, uow, events);
  return next;
}

const ENDINGS = {
  revoked: `status = 'cancelled', revoked_at = $3, cancelled_at = coalesce(cancelled_at, $3)`,
  expired: `status = 'expired'`,
} as const;

/**
 * Ends subscriptions whose permission was revoked on the chain or has expired. Subscriptions that have ended already
 * stay unchanged.
 */
export async function endSubscriptions(
  deps: DeclineDeps,
  uow: UnitOfWork,
  ids: readonly string[],
  ending: keyof typeof ENDINGS,
  atMs: number,
): Promise<void> {
  const ended = await uow.sql<{ merchant: Wallet; subscriptionId: string; status: SubscriptionStatus }>(
    `update subscriptions set ${ENDINGS[ending]}, next_charge_at = null, updated_at = $2
      where id = any($1) and status in ('active', 'past_due') and $3::bigint is not null
      returning merchant, id as "subscriptionId", status`,
    [ids, deps.clock(), atMs],
  );
  await recordSubscriptionEvents(
    deps,
    uow,
    ended.map((one) => ({ ...one, kind: ending, at: atMs })),
  );
}
