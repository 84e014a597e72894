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

/** What a customer has agreed to pay again and again. Moments in epoch ms. */
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
  /** Null once nothing will be charged any more. */
  readonly nextChargeAt: number | null;
  readonly lastChargedAt: number | null;
  readonly chargeCount: number;
  readonly totalChargedCents: number;
  /** Why the last charge failed; null where it did not. */
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

/** The subscription of an id, whoever's it is; null where there is none. */
async function findSubscription({ sql }: Pick<Deps, 'sql'>, id: string): Promise<SubscriptionRecord | null> {
  const [subscription] = await sql.rows<SubscriptionRecord>(BY_ID, [id]);
  return subscription ?? null;
}

/** The subscription of an id: to a key of its merchant, to its plan's page, and to any session. Refuses everyone else with `not_found`. */
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
 * A customer's or a merchant's subscriptions, the newest first, to that very wallet (its session or its key) and to platform admins.
 *
 * Refuses with `query_required` unless exactly one of the two is named, `invalid_wallet`, `invalid_input`, and with `forbidden` everyone else.
 */
export async function listSubscriptions(
  { sql }: Pick<Deps, 'sql'>,
  caller: Caller,
  input: { customer?: unknown; merchant?: unknown; limit?: unknown; page?: unknown },
): Promise<SubscriptionRecord[]> {
  if ((input.customer == null) === (input.merchant == null)) throw refuse('query_required');
  const { customer, merchant, limit = LIST_USUAL, page = 0 } = parseInput(subscriptionsQuery, input);
  const wallet = (customer ?? merchant) as Wallet;
  if (!speaksFor(caller, wallet)) throw forbid('wallet_not_own');
  return sql.rows<SubscriptionRecord>(customer ? OF_CUSTOMER : OF_MERCHANT, [wallet, limit, limit * page]);
}

/** One subscription, or those of a wallet; the other is null. */
export interface StatusReport {
  readonly subscription: SubscriptionRecord | null;
  readonly subscriptions: readonly SubscriptionRecord[] | null;
}

/** The subscription of an id, or those of a customer or a merchant. Refuses with `query_required` unless exactly one of the three is named, and as those do. */
export async function reportStatus(
  deps: Pick<Deps, 'sql'>,
  caller: Caller,
  { subscriptionId, ...list }: { subscriptionId?: string | null } & Parameters<typeof listSubscriptions>[2],
): Promise<StatusReport> {
  if (subscriptionId == null) return { subscription: null, subscriptions: await listSubscriptions(deps, caller, list) };
  if (list.customer != null || list.merchant != null) throw refuse('query_required');
  return { subscription: await requireSubscription(deps, caller, subscriptionId), subscriptions: null };
}

function speaksFor(caller: Caller, wallet: Wallet): boolean {
  if (caller.kind === 'developer') return caller.merchant === wallet;
  return caller.kind === 'session' && (caller.wallet === wallet || caller.platformAdmin);
}
