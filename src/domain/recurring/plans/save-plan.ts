import { isDeepStrictEqual } from 'node:util';
import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type Repeatable, withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { PLAN_COLUMNS, type Plan } from './plan.entity.ts';
import { chargeableChoice } from './plan-tokens.ts';
import { type PlanRecord, recordOf } from './read-plans.ts';

type SaveDeps = AuditDeps & Pick<Deps, 'db' | 'chains' | 'settings'>;

/** What a merchant states about a plan. */
type PlanTerms = Pick<PlanRecord, 'name' | 'description' | 'priceCents' | 'period' | 'paymentTokens' | 'reminderDays'>;

/** The terms of a new plan. Without a choice of tokens it takes the dollar tokens of the first chain. */
type NewTerms = Omit<PlanTerms, 'paymentTokens' | 'reminderDays'> & {
  readonly [K in 'paymentTokens' | 'reminderDays']?: PlanTerms[K] | undefined;
};

/**
 * Creates an active plan, one per Idempotency-Key. Refuses a token that it cannot be charged in with `invalid_input`.
 */
export async function createPlan(
  deps: SaveDeps,
  merchant: Wallet,
  { paymentTokens: chosen = null, reminderDays = null, ...terms }: NewTerms,
  repeatable: Repeatable | null = null,
): Promise<PlanRecord> {
  const now = deps.clock();
  const paymentTokens = chosen && chargeableChoice(deps, chosen);
  const create = async (uow: UnitOfWork) => {
    const id = newId('plan', now);
    const plan: Plan = {
      ...terms,
      paymentTokens,
      reminderDays,
      merchant,
      id,
      active: true,
      createdAt: now,
      updatedAt: now,
    };
    await uow.db.insertInto('Plan').values(storedPlan(plan)).execute();
    await recordAudit(deps, uow, merchant, 'plan.created', ['plan', id], { after: termsOf(plan) });
    return recordOf(plan);
  };
  if (repeatable === null) return deps.db.transaction(create);
  return withIdempotencyKey(deps.db, deps.clock(), { merchant, operation: 'createPlan', ...repeatable }, create);
}

/** Changes of a plan; undefined keeps the value. */
export type PlanChange = { readonly [K in keyof PlanTerms | 'active']?: PlanRecord[K] | undefined };

/**
 * Changes the given fields of a plan. Existing subscriptions keep the price, period, token and chain that their
 * customers signed. An inactive plan accepts no new subscriptions. Refuses with `plan_not_found` and `invalid_input`.
 */
export async function updatePlan(deps: SaveDeps, merchant: Wallet, id: string, given: PlanChange): Promise<PlanRecord> {
  const { paymentTokens } = given;
  const change = paymentTokens ? { ...given, paymentTokens: chargeableChoice(deps, paymentTokens) } : given;
  return deps.db.transaction(async (uow) => {
    const known = await uow.db
      .selectFrom('Plan')
      .select(PLAN_COLUMNS)
      .where((eb) => eb.and({ merchant, id }))
      .forUpdate()
      .executeTakeFirst();
    if (!known) throw refuse('plan_not_found');
    const different = Object.entries(change).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(known[name as keyof PlanChange], value),
    );
    if (different.length === 0) return recordOf(known);
    const plan: Plan = { ...known, ...Object.fromEntries(different), updatedAt: deps.clock() };
    await uow.db
      .updateTable('Plan')
      .set(storedPlan(plan))
      .where((eb) => eb.and({ merchant, id }))
      .execute();
    await recordAudit(deps, uow, merchant, 'plan.changed', ['plan', id], {
      before: termsOf(known),
      after: termsOf(plan),
    });
    return recordOf(plan);
  });
}

const storedPlan = ({ paymentTokens, ...plan }: Plan) => ({
  ...plan,
  paymentTokens: paymentTokens && jsonb(paymentTokens),
});

/** What the audit log records of a plan. */
const termsOf = ({ name, description, priceCents, period, paymentTokens, reminderDays, active }: Plan) => ({
  ...{ name, description, priceCents, period, paymentTokens, reminderDays, active },
});
