import { setTimeout } from 'node:timers/promises';
import type { BlockMark } from '../../../base/chain/blocks.ts';
import { type Attempt, tryCharge } from '../../../base/chain/charge-attempt.ts';
import { guardedDeployment } from '../../../base/chain/create2.ts';
import { type PermissionPeriod, periodAt } from '../../../base/chain/spend-permissions.ts';
import { isDeployed } from '../../../base/chain/splitter.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { reopenTransactions } from '../../../base/onchain/spender/record-outcomes.ts';
import { sendOther } from '../../../base/onchain/spender/send-transactions.ts';
import type { SpenderDeps } from '../../../base/onchain/spender/spender.ts';
import type { SpenderKey } from '../../../base/onchain/spender/spender-key.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { isPaused } from '../../payments/quotes/pauses.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';
import { payableTokens } from '../plans/plan-tokens.ts';
import { changeSubscriptions } from '../subscriptions/change-subscriptions.ts';
import { declineCharge } from '../subscriptions/decline.ts';
import { openSignature } from '../subscriptions/signature-encryption.ts';
import { priceUnits } from '../subscriptions/terms.ts';
import { type ChargeResult, notCharged } from './charge-type.ts';
import type { DueSubscription } from './due-scan.ts';
import type { ReadyCharge } from './planned-charge.ts';
import { follow } from './record-outcomes.ts';

/** A charge that would succeed, or the result to report instead. */
export type Prepared =
  | { readonly kind: 'ready'; readonly charge: ReadyCharge }
  | { readonly kind: 'result'; readonly result: ChargeResult }
  /** Already sent or charged on the chain; the database has the result once the transaction is recorded. */
  | { readonly kind: 'charged' };

/**
 * Simulates a charge and records a refusal of the chain immediately: a revoked or expired permission ends the
 * subscription, a customer who cannot pay becomes past due. Neither uses a nonce or costs gas. Failures on the
 * operator's side are reported and do not count as a failed attempt. An unexpected one fails this charge only.
 */
export async function prepareCharge(
  deps: SpenderDeps,
  key: SpenderKey,
  subscription: DueSubscription,
  head: BlockMark,
): Promise<Prepared> {
  try {
    return await prepare(deps, key, subscription, head);
  } catch (err) {
    if (err instanceof Refusal) throw err;
    deps.log.error({ err, subscriptionId: subscription.id }, 'charge failed; it stays due');
    return noCharge(subscription.id, { reason: 'failed' });
  }
}

async function prepare(
  deps: SpenderDeps,
  key: SpenderKey,
  subscription: DueSubscription,
  head: BlockMark,
): Promise<Prepared> {
  const { id, permission, split, suspendedAt, paused } = subscription;
  const headS = Math.floor(head.timeMs / 1000);
  if (headS >= permission.end) return end(deps, subscription, 'expired', head);
  const period = periodAt(permission, headS);
  if (period === null) return noCharge(id, { reason: 'not_due', nextChargeAt: permission.start * 1000 });
  if (suspendedAt !== null) return noCharge(id, { reason: 'merchant_suspended' });
  if (split === null) return noCharge(id, { reason: 'split_required' });
  const token = payableTokens(deps.chain.tokens).find(({ address }) => address === subscription.token);
  if (!token || permission.spender !== key.charger.address) return noCharge(id, { reason: 'permission_not_usable' });
  if (isPaused(paused, token.symbol)) return noCharge(id, { reason: 'payments_paused' });

  const signature = openSignature(deps.settings, id, subscription.sealedSignature);
  const amount = priceUnits(subscription.priceCents, token);
  const attempt = async (at: PermissionPeriod): Promise<Attempt & { readonly period: PermissionPeriod }> => {
    const charge = { permission, value: amount, split, periodStart: at.start, signature };
    return { ...(await tryCharge(deps.chain, key.charger.address, key.sender, charge)), period: at };
  };
  let tried = await attempt(period);
  // The next block may already be in the next period.
  if (tried.kind === 'refused' && tried.error === 'OtherPeriod') {
    const next = periodAt(permission, Number(tried.args[0]));
    if (next && next.start > period.start) tried = await attempt(next);
  }
  if (tried.kind === 'refused') return refused(deps, key, subscription, tried, head);
  const { gas } = tried;
  const ready = {
    subscription: { ...subscription, split },
    period: tried.period,
    amount,
    token: token.symbol,
    gas,
    signature,
  };
  return { kind: 'ready', charge: ready };
}

type Refused = Extract<Attempt, { kind: 'refused' }>;

/** What the contracts' errors mean for a subscription. All other errors are on the customer's side. */
const MEANINGS: Readonly<Record<string, 'revoked' | 'expired' | 'not_due' | 'charged'>> = {
  Revoked: 'revoked',
  UnauthorizedSpendPermission: 'revoked',
  AfterSpendPermissionEnd: 'expired',
  BeforeSpendPermissionStart: 'not_due',
  OtherPeriod: 'not_due',
  AlreadyCharged: 'charged',
};

async function refused(
  deps: SpenderDeps,
  key: SpenderKey,
  subscription: DueSubscription,
  { error, reason }: Refused,
  head: BlockMark,
): Promise<Prepared> {
  const meaning = MEANINGS[error];
  if (meaning === 'revoked' || meaning === 'expired') return end(deps, subscription, meaning, head);
  if (meaning === 'charged') {
    await catchUp(deps, key, subscription.id);
    return { kind: 'charged' };
  }
  if (meaning === 'not_due')
    return noCharge(subscription.id, { reason: 'not_due', nextChargeAt: subscription.nextChargeAt });
  const failure = failureOf(error, reason);
  const { merchant, id, nextChargeAt } = subscription;
  const declined = { merchant, subscriptionId: id, failure, atMs: head.timeMs };
  const next = await deps.db.transaction(async (uow) => {
    await uow.run(LOCK, { merchant, id });
    const underway = await uow.run(UNDERWAY, { subscriptionIds: [id] });
    return underway.length > 0 ? 'underway' : declineCharge(deps, uow, declined, nextChargeAt);
  });
  // Its transaction may still succeed; if it does not, that counts.
  if (next === 'underway') return { kind: 'charged' };
  deps.log.info({ subscriptionId: id, reason, failure }, 'charge declined');
  return noCharge(id, { reason: 'declined', failureCode: failure, nextChargeAt: next });
}

const LOCK = query('charges-lock-subscription', (db, $: { merchant: Wallet; id: string }) =>
  db.selectFrom('Subscription').select('id').where('merchant', '=', $.merchant).where('id', '=', $.id).forUpdate(),
);

/** The charges that were sent and have no outcome yet. */
export const UNDERWAY = query('charges-underway', (db, $: { subscriptionIds: readonly string[] }) =>
  db
    .selectFrom('Charge')
    .select('nonce')
    .where('subscriptionId', '=', (eb) => eb.fn.any(eb.val($.subscriptionIds)))
    .where('status', '=', 'sent'),
);

/**
 * Rechecks the transactions of a charge that succeeded on the chain but not in the database, including those that were
 * recorded as voided.
 */
async function catchUp(deps: SpenderDeps, key: SpenderKey, subscriptionId: string): Promise<void> {
  const nonces = await deps.db.transaction(async (uow) => {
    const charges = await uow.db
      .selectFrom('Charge')
      .select('id')
      .where('subscriptionId', '=', subscriptionId)
      .where('status', '<>', 'succeeded')
      .execute();
    const subjectIds = charges.map(({ id }) => id);
    return reopenTransactions(deps, uow, { sender: key.sender, purpose: 'charge', subjectIds });
  });
  await follow(deps, key, { nonces });
}

function failureOf(error: string, reason: string): FailureCode {
  if (error === 'InvalidSignature') return 'PORTAL_CHAIN_WALLET_MISMATCH';
  return /balance|allowance|insufficient|exceeds/i.test(reason)
    ? 'PORTAL_CHAIN_INSUFFICIENT_BALANCE'
    : 'PORTAL_CHAIN_TX_REVERTED';
}

async function end(
  deps: SpenderDeps,
  { merchant, id }: DueSubscription,
  ending: 'revoked' | 'expired',
  head: BlockMark,
): Promise<Prepared> {
  const change = { merchant, subscriptionId: id, at: head.timeMs };
  await deps.db.transaction((uow) => changeSubscriptions(deps, uow, ending, [change]));
  return noCharge(id, { reason: ending });
}

const noCharge = (subscriptionId: string, why: Partial<ChargeResult>): Prepared => ({
  kind: 'result',
  result: notCharged(subscriptionId, why),
});

const found = new WeakSet<SpenderKey>();
const TRIES = 60;

/**
 * Ensures that the spend permission manager exists and that the charging contract is deployed, and deploys the latter
 * if it is missing. Returns false if the wallet cannot pay for the deployment. Refuses with `spender_not_configured` if
 * the manager does not exist, and with `chain_unavailable` if the deployment takes too long.
 */
export async function ensureCharger(deps: SpenderDeps, key: SpenderKey): Promise<boolean> {
  if (found.has(key)) return true;
  const { address } = key.charger;
  for (let tries = 0; !(await isDeployed(deps.chain, address)); tries++) {
    if (!(await isDeployed(deps.chain, key.manager)))
      throw refuse('spender_not_configured', `There is no spend permission manager at ${key.manager}`);
    if (tries === TRIES) throw refuse('chain_unavailable', 'The charging contract is not deployed yet');
    if (tries === 0) {
      const call = guardedDeployment(key.charger);
      if (!(await sendOther(deps, key, { purpose: 'deploy', merchant: '', subjectId: address, call }))) return false;
    }
    await follow(deps, key);
    await setTimeout(deps.chain.client.pollingInterval);
  }
  found.add(key);
  return true;
}
