import type { Wallet } from '../../../base/core/wallet.ts';
import type { SpenderDeps } from '../../../base/onchain/spender/spender.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { PaidChargeJob } from '../../payments/watching/enqueue-paid-charge.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { changeSubscriptions } from '../subscriptions/change-subscriptions.ts';
import { type ChargeResult, notCharged } from './charge-type.ts';
import { moveCharges } from './move-charges.ts';
import { recordSuccess } from './record-success.ts';
import { type Standing, standingsOf } from './standing.ts';

const FAILED = query(
  'charges-failed-of',
  (db, $: { subscriptionIds: readonly string[] }) =>
    db
      .selectFrom('Charge as c')
      .select(['c.merchant', 'c.id', 'c.subscriptionId', 'c.receiptId', 'c.nonce', 'c.periodStart', 'c.periodEnd'])
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('Charge as l')
            .select('l.id')
            .whereRef('l.subscriptionId', '=', 'c.subscriptionId')
            .whereRef('l.periodStart', '>', 'c.periodStart'),
        )
          .$castTo<boolean>()
          .as('isEarlier'),
      )
      .where('c.subscriptionId', '=', (eb) => eb.fn.any(eb.val($.subscriptionIds)))
      .where('c.status', '=', 'failed'),
  { computed: { isEarlier: 'bool' } },
);

type FailedCharge = RowOf<typeof FAILED>;

/** In id order, so that concurrent processes do not wait for each other in a circle. */
const LOCK = query('charges-lock-subscriptions-by-id', (db, $: { ids: readonly string[] }) =>
  db
    .selectFrom('Subscription')
    .select('id')
    .where('id', '=', (eb) => eb.fn.any(eb.val($.ids)))
    .orderBy('id')
    .forUpdate(),
);

/** The subscriptions that are not charged now, by id. Null: the database has the result. */
export type Settled = ReadonlyMap<string, ChargeResult | null>;

/**
 * Looks at the receipts of failed charges before their subscriptions are charged: a charge whose receipt another
 * payment has paid succeeds by it, a charge whose receipt was voided is given up, and one whose receipt may be paid
 * soon waits. It can be repeated.
 *
 * @param headMs the time of the latest block, epoch ms: only the charge of its period decides whether one is due
 * @returns the subscriptions that are not to be charged now
 */
export async function settleCharges(
  deps: SpenderDeps,
  subscriptionIds: readonly string[],
  headMs: number,
): Promise<Settled> {
  const known = await deps.db.run(FAILED, { subscriptionIds });
  if (known.length === 0) return new Map();
  const ids = [...new Set(known.map(({ subscriptionId }) => subscriptionId))];
  return deps.db.transaction(async (uow) => {
    await uow.run(LOCK, { ids });
    const failed = await uow.run(FAILED, { subscriptionIds: ids });
    const standings = await standingsOf(deps, uow, failed);
    const settled = new Map<string, ChargeResult | null>();
    for (const charge of failed.toSorted((a, b) => a.periodStart - b.periodStart)) {
      const { receipt, standing } = standings.get(charge.receiptId) ?? {};
      if (!receipt || !standing || standing === 'open') continue;
      if (standing === 'paid') await settleCharge(deps, uow, charge, receipt);
      const isCurrent = charge.periodStart * 1000 <= headMs && headMs < charge.periodEnd * 1000;
      if (isCurrent) settled.set(charge.subscriptionId, await leaveOut(deps, uow, charge, standing));
    }
    return settled;
  });
}

/**
 * Settles the charge of a receipt that another payment has paid. A charge that has succeeded already stays as it is.
 */
export async function settlePaidCharge(deps: SpenderDeps, { merchant, receiptId }: PaidChargeJob): Promise<void> {
  const charges = await deps.db.run(OF_RECEIPT, { merchant, receiptId });
  const ids = charges.map(({ subscriptionId }) => subscriptionId);
  await settleCharges(deps, ids, Number.NEGATIVE_INFINITY);
}

const OF_RECEIPT = query('charges-of-receipt', (db, $: { merchant: Wallet; receiptId: string }) =>
  db
    .selectFrom('Charge')
    .select('subscriptionId')
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.receiptId),
);

/** Why the charge of the current period is not sent, as its result. */
async function leaveOut(
  deps: SpenderDeps,
  uow: UnitOfWork,
  { merchant, id: chargeId, subscriptionId, receiptId, periodEnd }: FailedCharge,
  standing: Exclude<Standing, 'open'>,
): Promise<ChargeResult | null> {
  if (standing === 'paid') return null;
  if (standing === 'voided') {
    const nextChargeAt = periodEnd * 1000;
    const change = { merchant, subscriptionId, at: deps.clock(), nextChargeAt };
    await changeSubscriptions(deps, uow, 'chargeWaived', [change]);
    return notCharged(subscriptionId, { reason: 'not_due', nextChargeAt });
  }
  if (standing === 'lost')
    deps.log.error({ alert: 'charge_undone', chargeId, subscriptionId, receiptId }, 'payment of a charge was lost');
  return notCharged(subscriptionId, { reason: 'payment_underway', chargeId });
}

/** What identifies a charge and its latest transaction. */
type Settling = Pick<FailedCharge, 'id' | 'nonce' | 'isEarlier'>;

/** Records that the payment of its receipt has settled a failed charge. */
export async function settleCharge(
  deps: Pick<SpenderDeps, 'bus' | 'clock' | 'settings' | 'log'>,
  uow: UnitOfWork,
  { id: chargeId, nonce, isEarlier }: Settling,
  { transactionHash, transactionTimestamp }: Receipt,
): Promise<void> {
  const now = deps.clock();
  const minedHash = transactionHash ?? null;
  const payment = { chargeId, nonce, minedHash, atMs: transactionTimestamp ?? now, failure: null, isByPayment: true };
  const charges = await moveCharges(uow, 'succeeded', [payment], now);
  if (charges.length === 0) return;
  await recordSuccess(deps, uow, charges, { isEarlier });
  deps.log.info({ chargeId, transactionHash }, 'charge settled by another payment of its receipt');
}
