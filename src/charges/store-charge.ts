import type { BlockMark } from '../chain/blocks.ts';
import { chargeTransaction } from '../chain/charger.ts';
import type { Fees, SignedTransaction } from '../chain/raw-transactions.ts';
import type { PermissionPeriod } from '../chain/spend-permissions.ts';
import { newId, newReceiptId } from '../core/ids.ts';
import { bindTransactions } from '../payments/bound-transactions.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import type { SpenderDeps } from '../spender/deps.ts';
import { lockNonces, signAndStore, type Want } from '../spender/nonce-store.ts';
import type { SpenderKey } from '../spender/spender-key.ts';
import { bookCharges, reopenCharge } from './charge-receipt.ts';
import type { PlannedCharge, ReadyCharge } from './planned-charge.ts';
import { chargeFeeCents } from './platform-fee.ts';

/** The state of the chain when the charges were prepared. */
export interface ChainState {
  readonly head: BlockMark;
  readonly fees: Fees;
  /** How many of the wallet's transactions are in blocks. */
  readonly mined: number;
}

/** A charge whose transaction is stored and can be sent. */
export interface StoredCharge {
  readonly subscriptionId: string;
  readonly chargeId: string;
  readonly transaction: SignedTransaction;
}

/**
 * Signs the charges' transactions and stores them with the charges and their receipts, all in one database transaction
 * that holds the nonce lock. It leaves out subscriptions that are no longer due, whose period is already charged, or
 * that have a pending charge. Therefore concurrent callers never create two transactions for one period.
 */
export async function storeCharges(
  deps: SpenderDeps,
  key: SpenderKey,
  ready: readonly ReadyCharge[],
  chainState: ChainState,
): Promise<StoredCharge[]> {
  if (ready.length === 0) return [];
  return inTransaction(deps, async (uow) => {
    const first = await lockNonces(deps, uow, key.sender, chainState.mined);
    const open = await lockOpen(uow, ready, chainState.head.timeMs);
    const known = await findCharges(uow, [...open]);
    const now = deps.clock();
    const planned = ready
      .filter(({ subscription }) => open.has(subscription.id))
      .map((charge) => ({ charge, before: known.get(charge.subscription.id) ?? [] }))
      .filter(({ charge, before }) => before.every((other) => allowsCharge(other, charge.period)))
      .map(({ charge, before }): PlannedCharge => {
        const again = before.find(({ periodStart }) => periodStart === charge.period.start);
        return {
          ...charge,
          id: again?.id ?? newId('charge', now),
          receiptId: again?.receiptId ?? newReceiptId(now),
          again: again !== undefined,
        };
      });
    if (planned.length === 0) return [];
    const wants = planned.map((charge) => wantOf(key, charge));
    const signed = await signAndStore(deps, uow, key, { first, wants, fees: chainState.fees });
    await writeCharges(uow, planned, signed, now);
    await bookReceipts(deps, uow, planned, chainState.head, now);
    const bound = planned.map(({ subscription, receiptId, token, amount }, i) => ({
      transactionHash: signed[i]!.hash,
      merchant: subscription.merchant,
      receiptId,
      token,
      amount,
    }));
    await bindTransactions(uow, deps.chain.chainId, bound, now);
    return planned.map(({ subscription, id }, i) => ({
      subscriptionId: subscription.id,
      chargeId: id,
      transaction: signed[i]!,
    }));
  });
}

const wantOf = ({ charger }: SpenderKey, { subscription, id, ...charge }: PlannedCharge): Want => ({
  purpose: 'charge',
  merchant: subscription.merchant,
  subjectId: id,
  call: chargeTransaction(charger.address, {
    permission: subscription.permission,
    value: charge.amount,
    split: subscription.split,
    periodStart: charge.period.start,
    signature: charge.signature,
  }),
  gas: charge.gas,
  staleAt: charge.period.end,
});

/** Locks the subscriptions that are still due, in id order, and returns their ids. */
async function lockOpen(uow: UnitOfWork, ready: readonly ReadyCharge[], headMs: number): Promise<Set<string>> {
  const rows = await uow.sql<{ id: string }>(
    `select id from subscriptions
      where id = any($1) and status in ('active', 'past_due') and next_charge_at <= $2 order by id for update`,
    [ready.map(({ subscription }) => subscription.id), headMs],
  );
  return new Set(rows.map(({ id }) => id));
}

interface KnownCharge {
  readonly id: string;
  readonly subscriptionId: string;
  readonly receiptId: string;
  readonly periodStart: number;
  readonly status: string;
}

async function findCharges(uow: UnitOfWork, subscriptionIds: string[]): Promise<Map<string, KnownCharge[]>> {
  const rows = await uow.sql<KnownCharge & { periodStart: number | string }>(
    `select id, subscription_id as "subscriptionId", receipt_id as "receiptId", period_start as "periodStart", status
       from charges where subscription_id = any($1)`,
    [subscriptionIds],
  );
  return Map.groupBy(
    rows.map((row) => ({ ...row, periodStart: Number(row.periodStart) })),
    ({ subscriptionId }) => subscriptionId,
  );
}

/** One charge at a time, and none for a paid period or for an earlier one. */
const allowsCharge = (other: KnownCharge, period: PermissionPeriod): boolean =>
  other.status !== 'sent' && (other.status === 'failed' || other.periodStart < period.start);

async function writeCharges(
  uow: UnitOfWork,
  planned: readonly PlannedCharge[],
  signed: readonly SignedTransaction[],
  now: number,
): Promise<void> {
  const rows = planned.map(({ subscription, period, id, receiptId, token, amount }, i) => ({
    merchant: subscription.merchant,
    id,
    subscription_id: subscription.id,
    period_start: period.start,
    period_end: period.end,
    split: subscription.split,
    token,
    amount: String(amount),
    amount_cents: subscription.priceCents,
    fee_cents: chargeFeeCents(subscription.priceCents),
    receipt_id: receiptId,
    nonce: signed[i]!.nonce,
    transaction_hash: signed[i]!.hash,
  }));
  await uow.sql(
    `insert into charges (merchant, id, subscription_id, period_start, period_end, split, token, amount, amount_cents, fee_cents, receipt_id, nonce,
                          transaction_hash, status, attempt, created_at, updated_at)
     select r.*, 'sent', 1, $2, $2
       from jsonb_to_recordset($1::jsonb) as r(merchant text, id text, subscription_id text, period_start bigint, period_end bigint, split text,
            token text, amount numeric, amount_cents bigint, fee_cents bigint, receipt_id text, nonce bigint, transaction_hash text)
     on conflict (merchant, id) do update set status = 'sent', attempt = charges.attempt + 1, nonce = excluded.nonce, split = excluded.split,
       transaction_hash = excluded.transaction_hash, failure = null, block_time_ms = null, updated_at = excluded.updated_at`,
    [JSON.stringify(rows), now],
  );
}

async function bookReceipts(
  deps: SpenderDeps,
  uow: UnitOfWork,
  planned: readonly PlannedCharge[],
  head: BlockMark,
  now: number,
): Promise<void> {
  await bookCharges(
    deps,
    uow,
    planned.filter(({ again }) => !again),
    { createdBlock: Number(head.number), at: now },
  );
  for (const charge of planned.filter(({ again }) => again)) await reopenCharge(deps, uow, charge);
}
