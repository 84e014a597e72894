import { readHead } from '../../../base/chain/blocks.ts';
import { readNonce } from '../../../base/chain/raw-transactions.ts';
import { refuse } from '../../../base/core/errors.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { readOffer } from '../../../base/onchain/spender/fees.ts';
import { awaitMined } from '../../../base/onchain/spender/follow-transactions.ts';
import { canPay } from '../../../base/onchain/spender/funds.ts';
import { broadcastAll } from '../../../base/onchain/spender/send-transactions.ts';
import type { SpenderDeps, SpendersDeps } from '../../../base/onchain/spender/spender.ts';
import { findKeyOf, openSpenderKey, type SpenderKey } from '../../../base/onchain/spender/spender-key.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { failureCodeOf } from '../../sales/receipts/failures.ts';
import { isCollectible } from '../subscriptions/lifecycle.ts';
import { nextChargeIn } from '../subscriptions/read-subscriptions.ts';
import { type ChargeResult, notCharged } from './charge-type.ts';
import { type DueSubscription, findToCharge } from './due-scan.ts';
import { ensureCharger, prepareCharge, UNDERWAY } from './prepare-charge.ts';
import { chargeOutcomes } from './record-outcomes.ts';
import { settleCharges } from './settle-charges.ts';
import { storeCharges } from './store-charge.ts';

/** How long a caller waits for the transactions' blocks. After that only the worker follows them. */
const WAIT_MS = 60_000;

/**
 * Charges due subscriptions together: simulates each charge, signs and stores transactions for those that would
 * succeed, sends them, and waits for their blocks. The results are in the order of the subscriptions. Refuses with
 * `chain_unavailable` and `datastore_unavailable`; the worker then sends and follows the transactions that are already
 * stored. Each subscription is charged with the key whose contract its permission names.
 */
export async function runCharges(
  deps: SpenderDeps,
  due: readonly DueSubscription[],
  options: ChargeOptions = {},
): Promise<ChargeResult[]> {
  // A permission that names none of the keys is refused with the current one.
  const byKey = Map.groupBy(due, ({ permission }) => findKeyOf(deps, permission.spender) ?? openSpenderKey(deps));
  const results = await Promise.all([...byKey].map(([key, some]) => chargeWith(deps, key, some, options)));
  const byId = new Map(results.flat().map((result) => [result.subscriptionId, result]));
  return due.map(({ id }) => byId.get(id)!);
}

interface ChargeOptions {
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Charges subscriptions whose permissions name the contract of this key. */
async function chargeWith(
  deps: SpenderDeps,
  key: SpenderKey,
  due: readonly DueSubscription[],
  { waitMs = WAIT_MS, signal }: ChargeOptions,
): Promise<ChargeResult[]> {
  if (!(await ensureCharger(deps, key))) return outOfFunds(deps, key, due);
  const [head, fees, mined] = await Promise.all([
    readHead(deps.chain),
    readOffer(deps),
    readNonce(deps.chain, key.sender),
  ]);
  if (fees === null) return due.map(({ id }) => notCharged(id, { reason: 'fees_too_high' }));
  const ids = due.map(({ id }) => id);
  const settled = await settleCharges(deps, ids, head.timeMs);
  const chargeable = due.filter(({ id }) => !settled.has(id));
  const prepared = await Promise.all(chargeable.map((subscription) => prepareCharge(deps, key, subscription, head)));
  const ready = prepared.flatMap((one) => (one.kind === 'ready' ? [one.charge] : []));
  const results = new Map<string, ChargeResult>(
    prepared.flatMap((one, i) => (one.kind === 'result' ? [[chargeable[i]!.id, one.result] as const] : [])),
  );
  const dueAt = new Map(due.map(({ id, nextChargeAt }) => [id, nextChargeAt]));
  const put = (result: ChargeResult) =>
    results.set(result.subscriptionId, {
      ...result,
      nextChargeAt: result.nextChargeAt ?? dueAt.get(result.subscriptionId) ?? null,
    });
  for (const result of settled.values()) if (result !== null) put(result);
  const gas = ready.reduce((sum, charge) => sum + charge.gas, 0n);
  if (ready.length > 0 && !(await canPay(deps, key, gas, { ...fees, head }))) {
    const unpaid = ready.map(({ subscription }) => subscription);
    for (const result of outOfFunds(deps, key, unpaid)) results.set(result.subscriptionId, result);
  } else {
    const { signed, waiting } = await storeCharges(deps, key, ready, { head, fees, mined });
    for (const id of waiting) put(notCharged(id, { reason: 'payment_underway' }));
    await broadcastAll(deps, key, signed, head);
  }
  const left = ids.filter((id) => !results.has(id));
  await awaitOutcomes(deps, key, left, waitMs, signal);
  for (const result of await readResults(deps, left, head.timeMs)) results.set(result.subscriptionId, result);
  return due.map(({ id }) => results.get(id) ?? notCharged(id, { reason: 'not_due' }));
}

/** Raises the alert. The operator must fund the wallet; the charges do not count as failed attempts. */
function outOfFunds(
  { log, chain: { chainId } }: SpenderDeps,
  { sender }: SpenderKey,
  subscriptions: readonly Pick<DueSubscription, 'id'>[],
): ChargeResult[] {
  log.error({ alert: 'spender_out_of_funds', sender, chainId }, 'spender cannot pay for charges');
  return subscriptions.map(({ id }) => notCharged(id, { reason: 'spender_out_of_funds' }));
}

/** Waits for the blocks of the subscriptions' charges, including those that another process sent. */
async function awaitOutcomes(
  deps: SpenderDeps,
  key: SpenderKey,
  subscriptionIds: readonly string[],
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (subscriptionIds.length === 0) return;
  const rows = await deps.db.run(UNDERWAY, { subscriptionIds });
  const nonces = rows.map(({ nonce }) => nonce);
  await awaitMined(deps, key, chargeOutcomes(deps), nonces, { waitMs, signal });
}

const RESULTS = query(
  'charges-results',
  (db, $: { ids: readonly string[] }) =>
    db
      .selectFrom('Subscription as s')
      .leftJoinLateral(
        (of) =>
          of
            .selectFrom('Charge')
            .selectAll()
            .whereRef('Charge.subscriptionId', '=', 's.id')
            .orderBy('periodStart', 'desc')
            .limit(1)
            .as('c'),
        (on) => on.onTrue(),
      )
      .select(['s.id as subscriptionId', nextChargeIn('s')])
      .select(['c.id as chargeId', 'c.status', 'c.transactionHash', 'c.amountCents', 'c.feeCents', 'c.failure'])
      .select('c.periodEnd')
      .where('s.id', '=', (eb) => eb.fn.any(eb.val($.ids))),
  { computed: { nextChargeAt: 'int8' } },
);

/** The current results of the subscriptions' charges of the period at `headMs`, or still underway, from any process. */
async function readResults({ db }: SpenderDeps, ids: readonly string[], headMs: number): Promise<ChargeResult[]> {
  if (ids.length === 0) return [];
  const rows = await db.run(RESULTS, { ids });
  return rows.map(({ subscriptionId, nextChargeAt, status, chargeId, transactionHash, periodEnd, ...row }) => {
    const isEarlier = status !== 'sent' && periodEnd! * 1000 <= headMs;
    if (status === null || isEarlier) return notCharged(subscriptionId, { reason: 'not_due', nextChargeAt });
    const { amountCents, feeCents, failure } = row;
    return {
      subscriptionId,
      success: status === 'succeeded',
      chargeId,
      transactionHash,
      amountUsd: usdFromCents(amountCents!),
      feeUsd: usdFromCents(feeCents!),
      nextChargeAt,
      reason: status === 'succeeded' ? null : status === 'sent' ? 'pending' : 'reverted',
      failureCode: status === 'failed' ? failureCodeOf(failure) : null,
    };
  });
}

/** How long a caller waits for the transaction's block. A request ends within ten seconds. */
const ONE_WAIT_MS = 6_000;

/**
 * Charges one subscription immediately, if it is due by the time of the latest block of its chain. Of concurrent calls
 * one charges, and all return its result.
 *
 * Refuses with `not_found`, `subscription_not_active`, `spender_not_configured`, `chain_unavailable`, and
 * `charge_failed`, whose `reason` is one of `declined` (with `failureCode` and `nextChargeAt`), `reverted`, `revoked`,
 * `expired`, `split_required`, `merchant_suspended`, `payments_paused`, `spender_out_of_funds`, `fees_too_high`, or
 * `pending` (sent, but in no block yet; the worker follows it).
 */
export async function chargeSubscription(all: SpendersDeps, subscriptionId: string): Promise<ChargeResult> {
  const found = await findToCharge(all.db, subscriptionId);
  if (!found) throw refuse('not_found', 'Subscription not found');
  if (!isCollectible(found)) throw refuse('subscription_not_active');
  const chain = chainOf(all, found.chainId);
  if (!chain) throw refuse('chain_unavailable', `This server has no chain ${found.chainId} any more`);
  const deps = { ...all, chain };
  const head = await readHead(chain);
  if (found.nextChargeAt === null || found.nextChargeAt > head.timeMs)
    return notCharged(subscriptionId, { reason: 'not_due', nextChargeAt: found.nextChargeAt });
  const [result] = await runCharges(deps, [found], { waitMs: ONE_WAIT_MS });
  if (result!.success || result!.reason === 'not_due') return result!;
  const { reason, failureCode, nextChargeAt, transactionHash } = result!;
  throw refuse('charge_failed', undefined, {
    subscriptionId,
    reason,
    ...(failureCode === null ? {} : { failureCode }),
    ...(transactionHash === null ? {} : { transactionHash }),
    nextChargeAt,
  });
}
