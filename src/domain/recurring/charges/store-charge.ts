import type { BlockMark } from '../../../base/chain/blocks.ts';
import { chargeTransaction } from '../../../base/chain/charger.ts';
import type { Fees, SignedTransaction } from '../../../base/chain/raw-transactions.ts';
import type { PermissionPeriod } from '../../../base/chain/spend-permissions.ts';
import { newId, newReceiptId } from '../../../base/core/ids.ts';
import { applyRate } from '../../../base/core/money.ts';
import { lockNonces, signAndStore, type Want } from '../../../base/onchain/spender/nonce-store.ts';
import type { SpenderDeps } from '../../../base/onchain/spender/spender.ts';
import type { SpenderKey } from '../../../base/onchain/spender/spender-key.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { bindTransactions } from '../../payments/matching/bound-transactions.ts';
import { COLLECTIBLE } from '../subscriptions/lifecycle.ts';
import type { Charge } from './charge.entity.ts';
import { bookChargeReceipts, reopenReceipt } from './charge-receipt.ts';
import { sendCharges } from './move-charges.ts';
import type { PlannedCharge, ReadyCharge } from './planned-charge.ts';
import { standingsOf } from './standing.ts';

/** The platform's fee rate for charges. The fee is paid out of the split; the customer pays only the plan's price. */
const PLATFORM_FEE_RATE = '0.005';

/** The state of the chain when the charges were prepared. */
export interface ChainState {
  readonly head: BlockMark;
  readonly fees: Fees;
  /** How many of the wallet's transactions are in blocks. */
  readonly mined: number;
}

/** The transactions that were stored, and the subscriptions that wait for another payment of their receipt. */
export interface StoredCharges {
  readonly signed: readonly SignedTransaction[];
  readonly waiting: readonly string[];
}

/**
 * Signs the charges' transactions and stores them with the charges and their receipts, all in one database transaction
 * that holds the nonce lock. It leaves out subscriptions that are no longer due, whose period is already charged, or
 * that have a pending charge. Therefore concurrent callers never create two transactions for one period. A failed
 * charge is left out unless its receipt waits for it, which is decided under the receipt's lock.
 */
export async function storeCharges(
  deps: SpenderDeps,
  key: SpenderKey,
  ready: readonly ReadyCharge[],
  chainState: ChainState,
): Promise<StoredCharges> {
  if (ready.length === 0) return { signed: [], waiting: [] };
  return deps.db.transaction(async (uow) => {
    const first = await lockNonces(deps, uow, key.sender, chainState);
    const due = await planCharges(uow, ready, { headMs: chainState.head.timeMs, now: deps.clock() });
    const standings = await standingsOf(
      deps,
      uow,
      due.filter(({ again }) => again).map(({ subscription: { merchant }, receiptId }) => ({ merchant, receiptId })),
    );
    const isOpen = ({ again, receiptId }: PlannedCharge) => !again || standings.get(receiptId)?.standing === 'open';
    const planned = due.filter(isOpen);
    const waiting = due.filter((charge) => !isOpen(charge)).map(({ subscription }) => subscription.id);
    if (planned.length === 0) return { signed: [], waiting };
    const wants = planned.map((charge) => wantOf(key, charge));
    const signed = await signAndStore(deps, uow, key, { first, wants, fees: chainState.fees });
    await storeRecords(deps, uow, planned, signed, chainState.head);
    return { signed, waiting };
  });
}

/** Leaves out what must not be charged now, and gives the others their ids: a failed charge keeps its ids. */
async function planCharges(
  uow: UnitOfWork,
  ready: readonly ReadyCharge[],
  { headMs, now }: { readonly headMs: number; readonly now: number },
): Promise<PlannedCharge[]> {
  const ids = ready.map(({ subscription }) => subscription.id);
  const due = new Set((await uow.run(LOCK_DUE, { ids, headMs })).map(({ id }) => id));
  const known = await uow.run(KNOWN, { subscriptionIds: [...due] });
  const bySubscription = Map.groupBy(known, ({ subscriptionId }) => subscriptionId);
  return ready.flatMap((charge): PlannedCharge[] => {
    const { subscription, period } = charge;
    const before = bySubscription.get(subscription.id) ?? [];
    if (!due.has(subscription.id) || !before.every((other) => allowsCharge(other, period))) return [];
    const again = before.find(({ periodStart }) => periodStart === period.start);
    return [
      {
        ...charge,
        id: again?.id ?? newId('charge', now),
        receiptId: again?.receiptId ?? newReceiptId(now),
        again: again !== undefined,
      },
    ];
  });
}

/** Locks the subscriptions that are still due, in id order. */
const LOCK_DUE = query('charges-lock-due', (db, $: { ids: readonly string[]; headMs: number }) =>
  db
    .selectFrom('Subscription')
    .select('id')
    .where('id', '=', (eb) => eb.fn.any(eb.val($.ids)))
    .where('status', 'in', COLLECTIBLE)
    .where('nextChargeAt', '<=', $.headMs)
    .orderBy('id')
    .forUpdate(),
);

const KNOWN = query('charges-of-subscriptions', (db, $: { subscriptionIds: readonly string[] }) =>
  db
    .selectFrom('Charge')
    .select(['id', 'subscriptionId', 'receiptId', 'periodStart', 'status'])
    .where('subscriptionId', '=', (eb) => eb.fn.any(eb.val($.subscriptionIds))),
);

/** One charge at a time, and none for a paid period or for an earlier one. */
const allowsCharge = (other: Pick<Charge, 'status' | 'periodStart'>, period: PermissionPeriod): boolean =>
  other.status !== 'sent' && (other.status === 'failed' || other.periodStart < period.start);

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

/** Stores the charges and their receipts, and binds each transaction to the receipt that it pays. */
async function storeRecords(
  deps: SpenderDeps,
  uow: UnitOfWork,
  planned: readonly PlannedCharge[],
  signed: readonly SignedTransaction[],
  head: BlockMark,
): Promise<void> {
  const now = deps.clock();
  const sent = planned.map(({ subscription, period, id, receiptId, token, amount }, i) => ({
    merchant: subscription.merchant,
    id,
    subscriptionId: subscription.id,
    periodStart: period.start,
    periodEnd: period.end,
    split: subscription.split,
    token,
    amount: String(amount),
    amountCents: subscription.priceCents,
    feeCents: applyRate(subscription.priceCents, PLATFORM_FEE_RATE),
    receiptId,
    nonce: signed[i]!.nonce,
    transactionHash: signed[i]!.hash,
  }));
  await sendCharges(uow, sent, now);
  const isNew = ({ again }: PlannedCharge) => !again;
  await bookChargeReceipts(deps.bus, deps.chain, uow, planned.filter(isNew), { head, at: now });
  for (const charge of planned) if (charge.again) await reopenReceipt(deps, uow, charge);
  await bindTransactions(uow, deps.chain.chainId, sent, now);
}
