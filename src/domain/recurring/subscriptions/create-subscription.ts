import type { Hash, Hex } from 'viem';
import { readHead } from '../../../base/chain/blocks.ts';
import { verifyTypedSignature } from '../../../base/chain/signatures.ts';
import {
  hashSpendPermission,
  type SpendPermission,
  spendPermissionTypedData,
} from '../../../base/chain/spend-permissions.ts';
import type { Caller } from '../../../base/core/caller.ts';
import { type Refusal, refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { spenderOf } from '../../../base/onchain/spender/spender.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { repeatableOf, withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { activeSplit } from '../../payments/quotes/offers.ts';
import { isSuspended } from '../../shop/merchants/suspend.ts';
import { PERIOD_SECONDS } from '../plans/period.ts';
import { choosePlanToken, type PayableToken, planTokensOn } from '../plans/plan-tokens.ts';
import { type PlanRecord, requirePlan } from '../plans/read-plans.ts';
import { checkApproved, NO_SIGNATURE } from './approved-permission.ts';
import { reportCreated } from './change-subscriptions.ts';
import { enqueueFirstCharge } from './first-charge.ts';
import { findByPermission, nextChargeIn, RECORD_COLUMNS, type SubscriptionRecord } from './read-subscriptions.ts';
import { chargeable, sealSignature } from './signature-encryption.ts';
import type { SubscriptionInput } from './subscription.input.ts';
import { priceUnits } from './terms.ts';

type CreateDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'chain' | 'chains' | 'settings'>;

/**
 * Subscribes a customer to a plan with a spend permission that the customer signed (EIP-712: a key, ERC-1271 or
 * ERC-6492) for a chain: without `chainId`, the plan's first one. A smart account may approve its permission on the
 * chain in place of a signature; then the signature is `0x`. The same permission for the same plan and customer
 * returns the first subscription, even if the plan has changed since. The signature is not compared: it is malleable.
 * The first charge is enqueued with it, for the time when the permission starts.
 *
 * Refuses with `invalid_input` (chainId), `invalid_permission` (naming the field), `plan_not_found` (also for an
 * inactive plan), `split_required`, `invalid_signature`, `spender_not_configured`, and `chain_unavailable`. A refusal
 * writes nothing.
 */
export async function createSubscription(
  all: CreateDeps,
  caller: Caller,
  input: SubscriptionInput,
  idempotencyKey: string | null,
): Promise<SubscriptionRecord> {
  const { planId, customerWallet, permissionSignature, permissionData } = input;
  const plan = await requirePlan(all.db, caller, planId);
  const deps = onChain(all, input.chainId ?? choosePlanToken(all.chains, plan, {}).chain.chainId);
  const { email = null, language = null } = input;
  const order: Order = {
    ...{ plan, customer: customerWallet, permission: permissionData, email, language },
    ...spenderOf(deps),
  };
  const hash = hashSpendPermission(deps.chain.chainId, order.manager, order.permission);
  const first = await findByPermission(deps.db, hash);
  if (first) requireSame(first, order);
  const { headMs } = first ? { headMs: deps.clock() } : await checkOrder(deps, order);
  // Query the chain before the transaction begins, so that no lock is held while a node answers.
  if (permissionSignature === NO_SIGNATURE)
    await checkApproved(deps, { ...order, hash, draftToken: input.draftToken ?? null });
  else await checkSignature(deps, order, permissionSignature);
  const signature = await chargeable(hash, permissionSignature as Hex, customerWallet);
  const write = (uow: UnitOfWork) => insertSubscription(deps, uow, order, { hash, signature, headMs });
  const repeatable = repeatableOf(idempotencyKey, input);
  if (repeatable === null) return first ?? deps.db.transaction(write);
  const request = { merchant: plan.merchant, operation: 'createSubscription', ...repeatable };
  return withIdempotencyKey(deps.db, deps.clock(), request, (uow) => (first ? Promise.resolve(first) : write(uow)));
}

/** The plan, its customer, the signed permission, and the contracts that charge by it. */
interface Order {
  readonly plan: PlanRecord;
  readonly customer: Wallet;
  readonly permission: SpendPermission;
  readonly manager: Wallet;
  readonly spender: Wallet;
  /** Where the customer wants to hear of it. */
  readonly email: string | null;
  readonly language: string | null;
}

/** Refuses if the permission already belongs to another subscription. */
function requireSame(first: Pick<SubscriptionRecord, 'planId' | 'customer'>, { plan, customer }: Order): void {
  if (first.planId === plan.id && first.customer === customer) return;
  throw refuse(
    'invalid_permission',
    'This permission already pays for another subscription; sign one with another salt',
    {
      field: 'permissionData.salt',
    },
  );
}

/** Refuses a new subscription. Returns the time of the latest block. */
async function checkOrder(
  deps: CreateDeps,
  { plan, permission, customer, spender }: Order,
): Promise<{ readonly headMs: number }> {
  if (!plan.active) throw refuse('plan_not_found', 'This plan takes no new subscriptions');
  if (await isSuspended(deps.db, plan.merchant)) throw refuse('merchant_suspended');
  const there = planTokensOn(deps.chains, plan, deps.chain.chainId);
  // Refuses a merchant without a split on the chain.
  await activeSplit(deps, plan.merchant);
  checkPermission(permission, { plan, customer, spender, tokens: there.map(({ token }) => token) });
  const { timeMs: headMs } = await readHead(deps.chain);
  checkNotEnded(permission, headMs);
  return { headMs };
}

async function checkSignature({ chain }: CreateDeps, order: Order, signature: string): Promise<void> {
  const typedData = spendPermissionTypedData(chain.chainId, order.manager, order.permission);
  if (!(await verifyTypedSignature(chain, { wallet: order.customer, typedData, signature }))) {
    throw refuse('invalid_signature', undefined, { field: 'permissionSignature' });
  }
}

async function insertSubscription(
  deps: CreateDeps,
  uow: UnitOfWork,
  order: Order,
  { hash, signature, headMs }: { readonly hash: Hash; readonly signature: Hex; readonly headMs: number },
): Promise<SubscriptionRecord> {
  const { plan, customer, permission, email, language } = order;
  const now = deps.clock();
  const id = newId('sub', now);
  const inserted = await uow.db
    .insertInto('Subscription')
    .values({
      merchant: plan.merchant,
      id,
      planId: plan.id,
      customer,
      priceCents: plan.priceCents,
      period: plan.period,
      chainId: deps.chain.chainId,
      token: permission.token,
      permission,
      permissionHash: hash,
      sealedSignature: sealSignature(deps.settings, id, signature),
      email,
      language,
      status: 'active',
      nextChargeAt: permission.start * 1000,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(RECORD_COLUMNS)
    .returning(nextChargeIn('Subscription'))
    .executeTakeFirst();
  if (inserted) {
    await reportCreated(deps, uow, inserted);
    await enqueueFirstCharge(uow, { subscriptionId: id }, Math.max(0, permission.start * 1000 - headMs));
    return inserted;
  }
  // A concurrent request inserted a subscription with the same permission.
  const first = await findByPermission(uow, hash);
  requireSame(first!, order);
  return first!;
}

/** The requirements that a permission must meet. */
interface Requirements {
  readonly plan: Pick<PlanRecord, 'priceCents' | 'period'>;
  readonly customer: Wallet;
  /** The contract that charges. */
  readonly spender: Wallet;
  readonly tokens: readonly PayableToken[];
}

/**
 * Refuses with `invalid_permission`, naming the field, if the plan could not be charged by this permission.
 * `checkNotEnded` checks that it has not ended.
 */
function checkPermission(permission: SpendPermission, { plan, customer, spender, tokens }: Requirements): void {
  if (permission.account !== customer) throw unfit('account', 'must be customerWallet');
  if (permission.spender !== spender) throw unfit('spender', `must be ${spender}`);
  const token = tokens.find(({ address }) => address === permission.token);
  if (!token) {
    const known = tokens.map(({ symbol, address }) => `${address} (${symbol})`).join(', ');
    throw unfit('token', `must be one of ${known || 'no token of this chain'}`);
  }
  const needed = priceUnits(plan.priceCents, token);
  if (BigInt(permission.allowance) < needed) {
    throw unfit('allowance', `must be at least ${needed}, the plan's price in base units of ${token.symbol}`);
  }
  const periodS = PERIOD_SECONDS[plan.period];
  if (permission.period !== periodS) throw unfit('period', `must be ${periodS} seconds, which is ${plan.period}`);
  if (permission.end <= permission.start + permission.period) throw unfit('end', 'must be later than start + period');
}

/** Refuses a permission that has ended. `headMs` is the time of the latest block, epoch ms. */
function checkNotEnded({ end }: Pick<SpendPermission, 'end'>, headMs: number): void {
  if (end * 1000 <= headMs) throw unfit('end', 'has passed by the time of the latest block');
}

const unfit = (field: string, sentence: string): Refusal =>
  refuse('invalid_permission', `permissionData.${field} ${sentence}`, { field: `permissionData.${field}` });
