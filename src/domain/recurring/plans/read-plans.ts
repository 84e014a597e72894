import type { Caller } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { type KeysetOrder, keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { Plan } from './plan.entity.ts';

const COLUMNS = [
  'merchant',
  'id',
  'name',
  'description',
  'priceCents',
  'period',
  'paymentTokens',
  'reminderDays',
  'active',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Plan)[];

/** A merchant's offer with a recurring price. Times in epoch ms. */
export type PlanRecord = Readonly<Pick<Plan, (typeof COLUMNS)[number]>>;

/** The record of a plan's entity. */
export const recordOf = (plan: Plan): PlanRecord =>
  Object.fromEntries(COLUMNS.map((column) => [column, plan[column]])) as unknown as PlanRecord;

const BY_ID = query('plan-by-id', (db, $: { id: string }) =>
  db.selectFrom('Plan').select(COLUMNS).where('id', '=', $.id),
);
const ACTIVE_OF_MERCHANT = query('active-plans', (db, $: { merchant: Wallet }) =>
  db
    .selectFrom('Plan')
    .select(COLUMNS)
    .where('merchant', '=', $.merchant)
    .where('active', '=', true)
    .orderBy('createdAt')
    .orderBy('id'),
);

const ORDER: KeysetOrder = {
  name: 'plans',
  direction: 'asc',
  keys: [
    { name: 'createdAt', type: 'int8' },
    { name: 'id', type: 'text' },
  ],
};
const ALL = keysetList('plans', {
  order: ORDER,
  from: (db, $: { merchant: Wallet }) => db.selectFrom('Plan').where('merchant', '=', $.merchant),
  select: (plans) => plans.select(COLUMNS),
});
const ACTIVE = keysetList('plans active', {
  order: ORDER,
  from: (db, $: { merchant: Wallet }) =>
    db.selectFrom('Plan').where('merchant', '=', $.merchant).where('active', '=', true),
  select: (plans) => plans.select(COLUMNS),
});

/** The plan with this id, of any merchant; null if it does not exist. */
export async function findPlan(db: Db, planId: string): Promise<PlanRecord | null> {
  const [plan] = await db.run(BY_ID, { id: planId });
  return plan ?? null;
}

/**
 * The plan with this id, if the caller may see it: a developer key sees its merchant's plans, a plan page its own plan,
 * and a session every plan. Refuses with `plan_not_found`.
 */
export async function requirePlan(db: Db, caller: Caller, planId: string): Promise<PlanRecord> {
  const plan = await findPlan(db, planId);
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
export const plansOf = (db: Db, merchant: Wallet, { inactive }: { inactive: boolean }): Listing<PlanRecord> =>
  listing(db, inactive ? ALL : ACTIVE, { merchant }, merchant);

/**
 * A merchant's plans, oldest first. By default only active plans; the merchant itself can list inactive plans too.
 *
 * Refuses with `forbidden` a developer key or a plan page that requests another merchant's plans, and any caller other
 * than the merchant that requests inactive plans.
 */
export function listPlans(
  db: Db,
  caller: Caller,
  { wallet, inactive }: { readonly wallet: Wallet; readonly inactive: boolean },
): Listing<PlanRecord> {
  requireVisible(caller, wallet);
  if (inactive && !isMerchant(caller, wallet))
    throw forbid('wallet_not_own', 'Only the merchant may list inactive plans');
  return plansOf(db, wallet, { inactive });
}

/** All active plans of a merchant, oldest first. Refuses as `listPlans`. */
export async function readActivePlans(db: Db, caller: Caller, merchant: Wallet): Promise<PlanRecord[]> {
  requireVisible(caller, merchant);
  return db.run(ACTIVE_OF_MERCHANT, { merchant });
}

function requireVisible(caller: Caller, merchant: Wallet): void {
  const isBound = caller.kind === 'developer' || caller.kind === 'subscriber';
  if (isBound && caller.merchant !== merchant)
    throw forbid('wallet_not_own', 'wallet must be your own merchant wallet');
}

/** Whether the caller is the merchant: its key, or a session that acts for it. */
function isMerchant(caller: Caller, merchant: Wallet): boolean {
  return (caller.kind === 'developer' || caller.kind === 'session') && caller.merchant === merchant;
}
