import type { Hash, Hex } from 'viem';
import { readHead } from '../chain/blocks.ts';
import { verifyTypedSignature } from '../chain/signatures.ts';
import { hashSpendPermission, type SpendPermission, spendPermissionTypedData } from '../chain/spend-permissions.ts';
import type { Caller } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import { type PlanRecord, requirePlan } from '../plans/read-plans.ts';
import type { Deps } from '../platform/deps.ts';
import { withIdempotencyKey } from '../platform/idempotency.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { spenderOf } from '../spender/spender.ts';
import { readSplit } from '../splits/read.ts';
import { checkNotEnded, checkPermission } from './check-permission.ts';
import { SUBSCRIPTION_COLUMNS, type SubscriptionRecord } from './read-subscriptions.ts';
import { recordSubscriptionEvents } from './record-event.ts';
import { chargeable, sealSignature } from './signature-encryption.ts';
import { subscriptionInput } from './subscription.input.ts';
import { payableTokens } from './terms.ts';

type CreateDeps = Pick<Deps, 'sql' | 'orm' | 'bus' | 'clock' | 'chain' | 'settings'>;

const BY_HASH = `select ${SUBSCRIPTION_COLUMNS} from subscriptions where permission_hash = $1`;
const FIND = statement('subscription-by-permission', BY_HASH);

/**
 * Subscribes a customer to a plan with a spend permission that the customer signed (EIP-712: a key, ERC-1271 or
 * ERC-6492). The same permission for the same plan and customer returns the first subscription, even if the plan has
 * changed since. The signature is not compared: it is malleable.
 *
 * Refuses with `invalid_input`, `invalid_wallet`, `invalid_permission` (naming the field), `plan_not_found` (also for
 * an inactive plan), `split_required`, `invalid_signature`, `spender_not_configured`, and `chain_unavailable`. A
 * refusal writes nothing.
 */
export async function createSubscription(
  deps: CreateDeps,
  caller: Caller,
  input: unknown,
  idempotencyKey: string | null,
): Promise<SubscriptionRecord> {
  const { planId, customerWallet, permissionSignature, permissionData } = parseInput(subscriptionInput, input);
  const plan = await requirePlan(deps, caller, planId);
  const order: Order = { plan, customer: customerWallet, permission: permissionData, ...spenderOf(deps) };
  const hash = hashSpendPermission(deps.chain.chainId, order.manager, order.permission);
  const [first] = await deps.sql.rows<SubscriptionRecord>(FIND, [hash]);
  if (first) requireSame(first, order);
  else await checkOrder(deps, order);
  // Query the chain before the transaction begins, so that no lock is held while a node answers.
  await checkSignature(deps, order, permissionSignature);
  const signature = await chargeable(hash, permissionSignature as Hex, customerWallet);
  const write = (uow: UnitOfWork) => insertSubscription(deps, uow, order, hash, signature);
  if (idempotencyKey === null) return first ?? inTransaction(deps, write);
  const { merchant } = plan;
  return withIdempotencyKey(
    deps,
    { merchant, operation: 'createSubscription', key: idempotencyKey, body: input },
    (uow) => (first ? Promise.resolve(first) : write(uow)),
  );
}

/** The plan, its customer, the signed permission, and the contracts that charge by it. */
interface Order {
  readonly plan: PlanRecord;
  readonly customer: Wallet;
  readonly permission: SpendPermission;
  readonly manager: Wallet;
  readonly spender: Wallet;
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

async function checkOrder(deps: CreateDeps, { plan, permission, customer, spender }: Order): Promise<void> {
  if (!plan.active) throw refuse('plan_not_found', 'This plan takes no new subscriptions');
  const split = await readSplit(deps, plan.merchant);
  if (split.address === null) throw refuse('split_required');
  checkPermission(permission, { plan, customer, spender, tokens: payableTokens(deps.chain.tokens) });
  checkNotEnded(permission, (await readHead(deps.chain)).timeMs);
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
  hash: Hash,
  signature: Hex,
): Promise<SubscriptionRecord> {
  const { plan, customer, permission } = order;
  const now = deps.clock();
  const id = newId('sub', now);
  const [inserted] = await uow.sql<SubscriptionRecord>(
    `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission, permission_hash, sealed_signature,
        next_charge_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
      on conflict (permission_hash) do nothing returning ${SUBSCRIPTION_COLUMNS}`,
    [
      plan.merchant,
      id,
      plan.id,
      customer,
      plan.priceCents,
      plan.period,
      deps.chain.chainId,
      permission.token,
      JSON.stringify(permission),
      hash,
      sealSignature(deps.settings, id, signature),
      permission.start * 1000,
      now,
    ],
  );
  if (inserted) {
    await recordSubscriptionEvents(deps, uow, [
      { merchant: inserted.merchant, subscriptionId: id, kind: 'created', status: inserted.status, at: now },
    ]);
    return inserted;
  }
  // A concurrent request inserted a subscription with the same permission.
  const [first] = await uow.sql<SubscriptionRecord>(BY_HASH, [hash]);
  requireSame(first!, order);
  return first!;
}
