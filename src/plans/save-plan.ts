import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { Plan } from './plan.entity.ts';
import { planChange, planChoice, planInput } from './plan.input.ts';
import type { PlanRecord } from './read-plans.ts';

type SaveDeps = Pick<Deps, 'orm' | 'clock'>;

/**
 * Creates an active plan. Refuses with `invalid_input`, `invalid_wallet`, and `forbidden` for a wallet other than the
 * merchant's.
 */
export async function createPlan(deps: SaveDeps, merchant: Wallet, input: unknown): Promise<PlanRecord> {
  const { wallet, name, description = '', priceUsd, period } = parseInput(planInput, input);
  requireOwnWallet(merchant, wallet);
  const now = deps.clock();
  return inTransaction(deps, async ({ em }) => {
    const plan = em.create(Plan, {
      merchant,
      id: newId('plan', now),
      name,
      description,
      priceCents: priceUsd,
      period,
      active: true,
      createdAt: now,
      updatedAt: now,
    });
    await em.flush();
    return recordOf(plan);
  });
}

/**
 * Changes the given fields of a plan. Existing subscriptions keep the price and period that their customers signed.
 * Refuses as `createPlan` does, and with `plan_not_found`.
 */
export async function updatePlan(deps: SaveDeps, merchant: Wallet, input: unknown): Promise<PlanRecord> {
  const { wallet, planId, priceUsd: priceCents, ...given } = parseInput(planChange, input);
  requireOwnWallet(merchant, wallet);
  return changePlan(deps, merchant, planId, { ...given, priceCents });
}

/**
 * Deactivates a plan: it accepts no new subscriptions, existing ones continue. Idempotent. Refuses as `updatePlan`
 * does.
 */
export async function deactivatePlan(deps: SaveDeps, merchant: Wallet, input: unknown): Promise<PlanRecord> {
  const { wallet, planId } = parseInput(planChoice, input);
  requireOwnWallet(merchant, wallet);
  return changePlan(deps, merchant, planId, { active: false });
}

type PlanChange = { [K in 'name' | 'description' | 'priceCents' | 'period' | 'active']?: PlanRecord[K] | undefined };

function changePlan(deps: SaveDeps, merchant: Wallet, id: string, change: PlanChange): Promise<PlanRecord> {
  return inTransaction(deps, async ({ em }) => {
    const plan = await em.findOne(Plan, { merchant, id });
    if (!plan) throw refuse('plan_not_found');
    const different = Object.entries(change).filter(
      ([name, value]) => value !== undefined && plan[name as keyof PlanChange] !== value,
    );
    if (different.length > 0) Object.assign(plan, Object.fromEntries(different), { updatedAt: deps.clock() });
    await em.flush();
    return recordOf(plan);
  });
}

function recordOf(plan: Plan): PlanRecord {
  const { merchant, id, name, description, priceCents, period, active, createdAt, updatedAt } = plan;
  return { merchant, id, name, description, priceCents, period, active, createdAt, updatedAt };
}
