import type { Caller } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { forbid } from '../core/forbidden.ts';
import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { Period } from './period.ts';
import { plansQuery } from './plan.input.ts';

/** A merchant's offer with a recurring price. */
export interface PlanRecord {
  readonly merchant: Wallet;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly priceCents: number;
  readonly period: Period;
  /** Whether the plan accepts new subscriptions. */
  readonly active: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const COLUMNS =
  'merchant, id, name, description, price_cents as "priceCents", period, active, created_at as "createdAt", updated_at as "updatedAt"';

const BY_ID = statement('plan-by-id', `select ${COLUMNS} from plans where id = $1`);
const OF_MERCHANT = statement(
  'plans-of-merchant',
  `select ${COLUMNS} from plans where merchant = $1 and (active or $2) order by created_at, id`,
);

/** The plan with this id, of any merchant; null if it does not exist. */
export async function findPlan({ sql }: Pick<Deps, 'sql'>, planId: string): Promise<PlanRecord | null> {
  const [plan] = await sql.rows<PlanRecord>(BY_ID, [planId]);
  return plan ?? null;
}

/**
 * The plan with this id, if the caller may see it: a developer key sees its merchant's plans, a plan page its own plan,
 * and a session every plan. Refuses with `plan_not_found`.
 */
export async function requirePlan(deps: Pick<Deps, 'sql'>, caller: Caller, planId: string): Promise<PlanRecord> {
  const plan = await findPlan(deps, planId);
  if (!plan || !maySee(caller, plan)) throw refuse('plan_not_found');
  return plan;
}

/** Whether the caller may read a plan, and the subscriptions to it, by id. */
export function maySee(caller: Caller, { merchant, id }: Pick<PlanRecord, 'merchant' | 'id'>): boolean {
  if (caller.kind === 'developer') return caller.merchant === merchant;
  if (caller.kind === 'subscriber') return caller.planId === id;
  return caller.kind === 'session';
}

/** A merchant's plans, oldest first. Inactive plans are included only with `inactive`. */
export function plansOf({ sql }: Pick<Deps, 'sql'>, merchant: Wallet, { inactive }: { inactive: boolean }) {
  return sql.rows<PlanRecord>(OF_MERCHANT, [merchant, inactive]);
}

/**
 * A merchant's plans, oldest first. By default only active plans; the merchant itself can list inactive plans too.
 *
 * Refuses with `wallet_required`, `invalid_wallet` and `forbidden`. `forbidden` covers a developer key or a plan page
 * that requests another merchant's plans, and any caller other than the merchant that requests inactive plans.
 */
export async function listPlans(
  deps: Pick<Deps, 'sql'>,
  caller: Caller,
  input: { wallet?: unknown; includeInactive?: boolean | null },
): Promise<PlanRecord[]> {
  const { wallet } = parseInput(plansQuery, { wallet: input.wallet });
  const bound = caller.kind === 'developer' || caller.kind === 'subscriber';
  if (bound && caller.merchant !== wallet) throw forbid('wallet_not_own', 'wallet must be your own merchant wallet');
  const all = input.includeInactive === true;
  if (all && !isMerchant(caller, wallet)) throw forbid('wallet_not_own', 'Only the merchant may list inactive plans');
  return plansOf(deps, wallet, { inactive: all });
}

/** Whether the caller is the merchant: its key, or a session that acts for it. */
function isMerchant(caller: Caller, merchant: Wallet): boolean {
  return (caller.kind === 'developer' || caller.kind === 'session') && caller.merchant === merchant;
}
