import { chargeOutcomes as reports } from '../../../base/core/observed.ts';
import {
  type FollowOptions,
  type FollowReport,
  followTransactions,
} from '../../../base/onchain/spender/follow-transactions.ts';
import type { Outcome, OutcomeHandlers } from '../../../base/onchain/spender/record-outcomes.ts';
import type { SpenderDeps } from '../../../base/onchain/spender/spender.ts';
import type { SpenderKey } from '../../../base/onchain/spender/spender-key.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { rebindTransaction } from '../../payments/matching/bound-transactions.ts';
import { changeSubscriptions } from '../subscriptions/change-subscriptions.ts';
import { declineCharge } from '../subscriptions/decline.ts';
import { failReceipt } from './charge-receipt.ts';
import { type MovedCharge, moveCharges } from './move-charges.ts';
import { changeBy, recordSuccess } from './record-success.ts';
import { settleCharge } from './settle-charges.ts';
import { standingsOf } from './standing.ts';

/** Records the outcomes of charge transactions in their charges, subscriptions and receipts. */
export const chargeOutcomes = (deps: SpenderDeps): OutcomeHandlers => ({
  charge: {
    async record(uow, outcomes) {
      await succeed(
        deps,
        uow,
        outcomes.filter(({ outcome }) => outcome === 'success'),
      );
      for (const one of outcomes) if (one.outcome !== 'success') await fail(deps, uow, one);
    },
    // The payment watcher must first set the receipt back to `pending`.
    async postponed(uow, chargeIds) {
      const charges = await uow.run(CREDITED, { chargeIds });
      return charges.map(({ id }) => id);
    },
    replaced: (uow, { hash, replaced }) => rebindTransaction(uow, deps, { hash, replaced }),
  },
});

/** One pass over the spender's unfinished transactions, which also records the outcomes of their charges. */
export const follow = (deps: SpenderDeps, key: SpenderKey, options?: FollowOptions): Promise<FollowReport> =>
  followTransactions(deps, key, chargeOutcomes(deps), options);

const CREDITED = query('charges-credited', (db, $: { chargeIds: readonly string[] }) =>
  db
    .selectFrom('Charge as c')
    .innerJoin('Receipt as r', (on) => on.onRef('r.merchant', '=', 'c.merchant').onRef('r.id', '=', 'c.receiptId'))
    .select('c.id')
    .where('c.id', '=', (eb) => eb.fn.any(eb.val($.chargeIds)))
    .where('r.status', '=', 'tx_mined'),
);

/** In id order, so that concurrent processes do not wait for each other in a circle. */
const LOCK_SUBSCRIPTIONS = query('charges-lock-subscriptions', (db, $: { chargeIds: readonly string[] }) =>
  db
    .selectFrom('Subscription')
    .select('id')
    .where('id', 'in', (of) =>
      of
        .selectFrom('Charge as c')
        .select('c.subscriptionId')
        .where('c.id', '=', (eb) => eb.fn.any(eb.val($.chargeIds))),
    )
    .orderBy('id')
    .forUpdate(),
);

/** Records successful charges in the charge, its subscription and the billing events. */
async function succeed(deps: SpenderDeps, uow: UnitOfWork, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const mined = outcomes.map((one) => ({ ...one, chargeId: one.subjectId, failure: null }));
  await uow.run(LOCK_SUBSCRIPTIONS, { chargeIds: mined.map(({ chargeId }) => chargeId) });
  const charges = await moveCharges(uow, 'succeeded', mined, deps.clock());
  await recordSuccess(deps, uow, charges);
}

/**
 * Records a failed charge. If the contract reverted, the subscription becomes past due, unless the transaction came
 * into a block after its period. If another transaction used the nonce, the charge stays due. If another payment has
 * paid its receipt meanwhile, that settles the charge; if one is on its way, the charge stays due until it is decided
 * (`settleCharges`).
 */
async function fail(deps: SpenderDeps, uow: UnitOfWork, one: Outcome): Promise<void> {
  const { subjectId: chargeId, nonce, outcome, atMs } = one;
  await uow.run(LOCK_SUBSCRIPTIONS, { chargeIds: [chargeId] });
  const failure = outcome === 'reverted' ? 'PORTAL_CHAIN_TX_REVERTED' : 'PORTAL_SYS_NETWORK_TIMEOUT';
  const [charge] = await moveCharges(uow, 'failed', [{ ...one, chargeId, failure }], deps.clock());
  if (!charge) return;
  uow.afterCommit(() => {
    if (reports.hasSubscribers) reports.publish({ outcome: 'failed' });
  });
  const wasUndone = charge.previousStatus === 'succeeded';
  if (wasUndone) await undo(deps, uow, charge);
  const { receipt, standing } = (await standingsOf(deps, uow, [charge])).get(charge.receiptId) ?? {};
  if (!wasUndone && receipt && standing === 'paid')
    return settleCharge(deps, uow, { id: chargeId, nonce, isEarlier: false }, receipt);
  if (!wasUndone && standing === 'underway') return;
  await failReceipt(deps, uow, charge, failure);
  // In a block of a later period the contract refuses it whatever the customer has.
  const isTooLate = atMs >= charge.periodEnd * 1_000;
  if (outcome !== 'reverted' || isTooLate) {
    deps.log.warn(
      { chargeId, nonce, outcome },
      'charge transaction was voided or too late; the subscription stays due',
    );
    return;
  }
  const { merchant, subscriptionId, receiptId, transactionHash } = charge;
  await declineCharge(deps, uow, { merchant, subscriptionId, receiptId, transactionHash, chargeId, failure, atMs });
}

const LAST_CHARGED = query(
  'charges-last-succeeded',
  (db, $: { subscriptionId: string }) =>
    db
      .selectFrom('Charge')
      .select((eb) => eb.fn.max<number | null>('blockTimeMs').as('atMs'))
      .where('subscriptionId', '=', $.subscriptionId)
      .where('status', '=', 'succeeded'),
  { computed: { atMs: 'int8' } },
);

/**
 * Undoes a charge that succeeded before a reorg changed its outcome: reverses its records, and its period is due again.
 */
async function undo(deps: SpenderDeps, uow: UnitOfWork, charge: MovedCharge): Promise<void> {
  const { chargeId, subscriptionId, periodStart } = charge;
  const [last] = await uow.run(LAST_CHARGED, { subscriptionId });
  deps.log.error({ alert: 'charge_undone', chargeId, subscriptionId }, 'charge undone by a reorg');
  const change = { ...changeBy(charge), nextChargeAt: periodStart * 1000, lastChargedAt: last!.atMs };
  await changeSubscriptions(deps, uow, 'chargeUndone', [change]);
}
