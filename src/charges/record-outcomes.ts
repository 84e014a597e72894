import type { Wallet } from '../core/wallet.ts';
import { rebindTransaction } from '../payments/bound-transactions.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { SpenderDeps } from '../spender/deps.ts';
import type { Outcome, OutcomeHandlers } from '../spender/outcome-handler.ts';
import type { TransactionOutcome } from '../spender/spender-transaction.entity.ts';
import { declineCharge } from '../subscriptions/decline.ts';
import { recordSubscriptionEvents } from '../subscriptions/record-event.ts';
import type { SubscriptionStatus } from '../subscriptions/subscription.entity.ts';
import { failReceipt } from './charge-receipt.ts';

/** Records the outcomes of charge transactions in their charges, subscriptions and receipts. */
export const chargeOutcomes = (deps: SpenderDeps): OutcomeHandlers => ({
  charge: {
    async record(uow, outcomes) {
      const all = outcomes.map(({ subjectId, ...one }) => ({ ...one, chargeId: subjectId }));
      await succeed(
        deps,
        uow,
        all.filter(({ outcome }) => outcome === 'success'),
      );
      for (const one of all) if (one.outcome !== 'success') await fail(deps, uow, one);
    },
    // The payment watcher must first set the receipt back to `pending`.
    async postponed(uow, chargeIds) {
      const rows = await uow.sql<{ id: string }>(
        `select c.id from charges c join receipts r on r.merchant = c.merchant and r.id = c.receipt_id
          where c.id = any($1) and r.status = 'tx_mined'`,
        [chargeIds],
      );
      return rows.map(({ id }) => id);
    },
    replaced: (uow, { hash, replaced }) => rebindTransaction(uow, deps, { hash, replaced }),
  },
});

type ChargeOutcome = Pick<Outcome, 'nonce' | 'minedHash' | 'atMs'> & { readonly chargeId: string };

/**
 * Records successful charges in the charge, its subscription and the billing events. A subscription that has ended
 * meanwhile stays ended. After the last period, `next_charge_at` is the permission's end, so that the subscription is
 * scanned once more and expires.
 */
async function succeed(deps: SpenderDeps, uow: UnitOfWork, outcomes: readonly ChargeOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const ids = outcomes.map(({ chargeId }) => chargeId);
  await lockSubscriptionsOf(uow, ids);
  const now = deps.clock();
  const done = await uow.sql<Done>(
    `with outcomes as (
       select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as t(charge_id, hash, at_ms, nonce)
     ), done as (
       update charges c set status = 'succeeded', transaction_hash = o.hash, block_time_ms = o.at_ms, failure = null, updated_at = $5
         from outcomes o where c.id = o.charge_id and c.nonce = o.nonce and c.status <> 'succeeded'
       returning c.merchant, c.id, c.subscription_id, c.receipt_id, c.amount_cents, c.fee_cents, c.transaction_hash, c.block_time_ms, c.period_end
     ), subscribed as (
       update subscriptions s
          set charge_count = s.charge_count + 1, total_charged_cents = s.total_charged_cents + done.amount_cents, last_charged_at = done.block_time_ms,
              attempts = 0, last_failure = null, past_due_since = null,
              next_charge_at = case when s.status in ('active', 'past_due') then done.period_end * 1000 end,
              status = case when s.status = 'past_due' then 'active' else s.status end, updated_at = $5
         from done where s.merchant = done.merchant and s.id = done.subscription_id
       returning s.id, s.status
     ), billed as (
       insert into billing_events (merchant, charge_id, subscription_id, amount_cents, fee_cents, transaction_hash, at)
       select merchant, id, subscription_id, amount_cents, fee_cents, transaction_hash, block_time_ms from done
       on conflict do nothing
     )
     select done.merchant, done.id as "chargeId", done.subscription_id as "subscriptionId", done.receipt_id as "receiptId",
            done.amount_cents as "amountCents", done.fee_cents as "feeCents", done.transaction_hash as "transactionHash",
            done.block_time_ms as at, subscribed.status
       from done join subscribed on subscribed.id = done.subscription_id`,
    [
      ids,
      outcomes.map(({ minedHash }) => minedHash),
      outcomes.map(({ atMs }) => atMs),
      outcomes.map(({ nonce }) => nonce),
      now,
    ],
  );
  await recordSubscriptionEvents(
    deps,
    uow,
    done.map((event) => ({ ...event, kind: 'charged' as const })),
  );
}

interface Done {
  readonly merchant: Wallet;
  readonly chargeId: string;
  readonly subscriptionId: string;
  readonly receiptId: string;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly transactionHash: `0x${string}`;
  readonly at: number;
  readonly status: SubscriptionStatus;
}

const lockSubscriptionsOf = (uow: UnitOfWork, chargeIds: readonly string[]) =>
  uow.sql(
    `select id from subscriptions where id = any(select subscription_id from charges where id = any($1)) order by id for update`,
    [chargeIds],
  );

/**
 * Records a failed charge. If the contract reverted, the subscription becomes past due. If another transaction used the
 * nonce, the charge stays due.
 */
async function fail(
  deps: SpenderDeps,
  uow: UnitOfWork,
  { chargeId, nonce, outcome, minedHash, atMs }: ChargeOutcome & { readonly outcome: TransactionOutcome },
): Promise<void> {
  await lockSubscriptionsOf(uow, [chargeId]);
  const failure = outcome === 'reverted' ? 'PORTAL_CHAIN_TX_REVERTED' : 'PORTAL_SYS_NETWORK_TIMEOUT';
  const [charge] = await uow.sql<FailedCharge>(
    `update charges c
        set status = 'failed', failure = $3, transaction_hash = coalesce($4, c.transaction_hash), block_time_ms = $5, updated_at = $6
       from charges old where c.id = $1 and old.id = c.id and old.merchant = c.merchant and c.nonce = $2 and c.status <> 'failed'
     returning c.merchant, c.subscription_id as "subscriptionId", c.receipt_id as "receiptId", c.amount_cents as "amountCents",
               c.fee_cents as "feeCents", c.period_start as "periodStart", c.transaction_hash as "transactionHash", old.status as before`,
    [chargeId, nonce, failure, minedHash, atMs, deps.clock()],
  );
  if (!charge) return;
  if (charge.before === 'succeeded') await undo(deps, uow, chargeId, charge, atMs);
  await failReceipt(deps, uow, charge, failure);
  if (outcome === 'reverted')
    await declineCharge(deps, uow, { ...charge, chargeId, failure, atMs, transactionHash: charge.transactionHash });
  else deps.log.warn({ chargeId, nonce }, 'charge transaction was voided; the charge stays due');
}

interface FailedCharge {
  readonly merchant: Wallet;
  readonly subscriptionId: string;
  readonly receiptId: string;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly periodStart: number;
  readonly transactionHash: `0x${string}`;
  readonly before: string;
}

/**
 * Undoes a charge that succeeded before a reorg changed its outcome: reverses its records, and its period is due again.
 */
async function undo(
  deps: SpenderDeps,
  uow: UnitOfWork,
  chargeId: string,
  charge: FailedCharge,
  atMs: number,
): Promise<void> {
  const { merchant, subscriptionId, receiptId, amountCents, feeCents, periodStart, transactionHash } = charge;
  await uow.sql('delete from billing_events where merchant = $1 and charge_id = $2', [merchant, chargeId]);
  const [subscription] = await uow.sql<{ status: SubscriptionStatus }>(
    `update subscriptions
        set charge_count = charge_count - 1, total_charged_cents = total_charged_cents - $3::bigint,
            last_charged_at = (select max(block_time_ms) from charges where subscription_id = $2 and status = 'succeeded'),
            next_charge_at = case when status in ('active', 'past_due') then least(next_charge_at, $4::bigint * 1000) end, updated_at = $5
      where merchant = $1 and id = $2 returning status`,
    [merchant, subscriptionId, amountCents, periodStart, deps.clock()],
  );
  deps.log.error({ alert: 'charge_undone', chargeId, subscriptionId }, 'charge undone by a reorg');
  const event = { merchant, subscriptionId, chargeId, receiptId, amountCents, feeCents, transactionHash, at: atMs };
  await recordSubscriptionEvents(deps, uow, [{ ...event, kind: 'charge_undone', status: subscription!.status }]);
}
