import type { Caller } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { Period } from './period.ts';
import { plansQuery } from './plan.input.ts';

/** What a merchant offers to be paid for again and again. */
export interface PlanRecord {
  readonly merchant: Wallet;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly priceCents: number;
  readonly period: Period;
  /** Whether it takes new subscriptions. */
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

/** The plan of an id, whoever's it is; null where there is none. */
export async function findPlan({ sql }: Pick<Deps, 'sql'>, planId: string): Promise<PlanRecord | null> {
  const [plan] = await sql.rows<PlanRecord>(BY_ID, [planId]);
  return plan ?? null;
}

/**
 * The plan of an id, as far as the caller may see it: a developer key its own merchant's plans, a plan page that plan, any session each plan. Refuses
 * with `plan_not_found`.
 */
export async function requirePlan(deps: Pick<Deps, 'sql'>, caller: Caller, planId: string): Promise<PlanRecord> {
  const plan = await findPlan(deps, planId);
  if (!plan || !maySee(caller, plan)) throw refuse('plan_not_found');
  return plan;
}

/** Whether the caller may know of a plan, or of the subscriptions to it, by their ids. */
export function maySee(caller: Caller, { merchant, id }: Pick<PlanRecord, 'merchant' | 'id'>): boolean {
  if (caller.kind === 'developer') return caller.merchant === merchant;
  if (caller.kind === 'subscriber') return caller.planId === id;
  return caller.kind === 'session';
}

/** The plans of a merchant, the oldest first; those that are not offered any more only on request. */
export function plansOf({ sql }: Pick<Deps, 'sql'>, merchant: Wallet, { inactive }: { inactive: boolean }) {
  return sql.rows<PlanRecord>(OF_MERCHANT, [merchant, inactive]);
}

/**
 * A merchant's plans, the oldest first: those that take new subscriptions, or all of them for the merchant itself.
 *
 * Refuses with `wallet_required` and `invalid_wallet`, and with `forbidden` another merchant's plans where the caller is a developer key or a plan's
 * page, and plans that are not offered any more where the caller is not their merchant.
 */
export async function listPlans(
  deps: Pick<Deps, 'sql'>,
  caller: Caller,
  input: { wallet?: unknown; includeInactive?: boolean | null },
): Promise<PlanRecord[]> {
  const { wallet } = parseInput(plansQuery, { wallet: input.wallet });
  const bound = caller.kind === 'developer' || caller.kind === 'subscriber';
  if (bound && caller.merchant !== wallet) throw refuse('forbidden', 'wallet must be your own merchant wallet');
  const all = input.includeInactive === true;
  if (all && !isMerchant(caller, wallet))
    throw refuse('forbidden', 'Plans that are not offered are for their merchant');
  return plansOf(deps, wallet, { inactive: all });
}

/** Whether the caller is the merchant's own: its key, or a session that acts for it. */
function isMerchant(caller: Caller, merchant: Wallet): boolean {
  return (caller.kind === 'developer' || caller.kind === 'session') && caller.merchant === merchant;
}
