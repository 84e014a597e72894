import type { SpendPermission } from '../chain/spend-permissions.ts';
import type { Caller } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { forbid } from '../core/forbidden.ts';
import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Period } from '../plans/period.ts';
import { maySee } from '../plans/read-plans.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';
import { LIST_USUAL, subscriptionsQuery } from './subscription.input.ts';

/** A customer's recurring payment for a plan. Times in epoch ms. */
export interface SubscriptionRecord {
  readonly merchant: Wallet;
  readonly id: string;
  readonly planId: string;
  readonly customer: Wallet;
  readonly priceCents: number;
  readonly period: Period;
  readonly token: Wallet;
  readonly permission: SpendPermission;
  readonly permissionHash: `0x${string}`;
  readonly status: SubscriptionStatus;
  /** Null if no further charge follows. */
  readonly nextChargeAt: number | null;
  readonly lastChargedAt: number | null;
  readonly chargeCount: number;
  readonly totalChargedCents: number;
  /** A failure code if the last charge failed, else null. */
  readonly lastFailure: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The columns of a `SubscriptionRecord`, for statements on the table `subscriptions`. */
export const SUBSCRIPTION_COLUMNS = `merchant, id, plan_id as "planId", customer, price_cents as "priceCents", period, token, permission,
  permission_hash as "permissionHash", status, nullif(next_charge_at, (permission ->> 'end')::bigint * 1000) as "nextChargeAt", last_charged_at as "lastChargedAt",
  charge_count as "chargeCount", total_charged_cents as "totalChargedCents", last_failure as "lastFailure", created_at as "createdAt",
  updated_at as "updatedAt"`;

const BY_ID = statement('subscription-by-id', `select ${SUBSCRIPTION_COLUMNS} from subscriptions where id = $1`);
const OF_CUSTOMER = statement(
  'subscriptions-of-customer',
  `select ${SUBSCRIPTION_COLUMNS} from subscriptions where customer = $1 order by created_at desc, id desc limit $2 offset $3`,
);
const OF_MERCHANT = statement(
  'subscriptions-of-merchant',
  `select ${SUBSCRIPTION_COLUMNS} from subscriptions where merchant = $1 order by created_at desc, id desc limit $2 offset $3`,
);

/** The subscription with this id, of any merchant; null if it does not exist. */
async function findSubscription({ sql }: Pick<Deps, 'sql'>, id: string): Promise<SubscriptionRecord | null> {
  const [subscription] = await sql.rows<SubscriptionRecord>(BY_ID, [id]);
  return subscription ?? null;
}

/**
 * The subscription with this id. Visible to its merchant's keys, its plan's page and any session; refuses other callers
 * with `not_found`.
 */
export async function requireSubscription(
  deps: Pick<Deps, 'sql'>,
  caller: Caller,
  id: string,
): Promise<SubscriptionRecord> {
  const found = await findSubscription(deps, id);
  if (!found || !maySee(caller, { merchant: found.merchant, id: found.planId }))
    throw refuse('not_found', 'Subscription not found');
  return found;
}

/**
 * A customer's or a merchant's subscriptions, newest first. Only for that wallet (its session or its key) and for
 * platform admins.
 *
 * Refuses with `query_required` unless exactly one of the two is given, `invalid_wallet`, `invalid_input`, and
 * `forbidden` for other callers.
 */
export async function listSubscriptions(
  { sql }: Pick<Deps, 'sql'>,
  caller: Caller,
  input: { customer?: unknown; merchant?: unknown; limit?: unknown; page?: unknown },
): Promise<SubscriptionRecord[]> {
  if ((input.customer == null) === (input.merchant == null)) throw refuse('query_required');
  const { customer, merchant, limit = LIST_USUAL, page = 0 } = parseInput(subscriptionsQuery, input);
  const wallet = (customer ?? merchant) as Wallet;
  if (!actsFor(caller, wallet)) throw forbid('wallet_not_own');
  return sql.rows<SubscriptionRecord>(customer ? OF_CUSTOMER : OF_MERCHANT, [wallet, limit, limit * page]);
}

/** Either one subscription or the list of a wallet; the other field is null. */
export interface StatusReport {
  readonly subscription: SubscriptionRecord | null;
  readonly subscriptions: readonly SubscriptionRecord[] | null;
}

/**
 * One subscription by id, or the list of a customer or a merchant. Refuses with `query_required` unless exactly one of
 * the three is given, and as `requireSubscription` and `listSubscriptions` do.
 */
export async function reportStatus(
  deps: Pick<Deps, 'sql'>,
  caller: Caller,
  { subscriptionId, ...list }: { subscriptionId?: string | null } & Parameters<typeof listSubscriptions>[2],
): Promise<StatusReport> {
  if (subscriptionId == null) return { subscription: null, subscriptions: await listSubscriptions(deps, caller, list) };
  if (list.customer != null || list.merchant != null) throw refuse('query_required');
  return { subscription: await requireSubscription(deps, caller, subscriptionId), subscriptions: null };
}

function actsFor(caller: Caller, wallet: Wallet): boolean {
  if (caller.kind === 'developer') return caller.merchant === wallet;
  return caller.kind === 'session' && (caller.wallet === wallet || caller.platformAdmin);
}
