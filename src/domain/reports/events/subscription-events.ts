import { usdFromCents } from '../../../base/core/money.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { SubscriptionEventKind } from '../../recurring/subscriptions/subscription.entity.ts';
import { failureOf } from '../../sales/receipts/failures.ts';
import type { RaisedEvent } from '../../webhooks/events/events.ts';
import type { EventKind } from '../../webhooks/events/kinds.ts';
import type { FoldRange } from './fold-range.ts';

/** The entries of a merchant's subscription histories in a range of transactions, with their subscriptions. */
const ENTRIES = query('events-subscription-entries', (db, $: FoldRange) =>
  db
    .selectFrom('SubscriptionEvent as h')
    .innerJoin('Subscription as s', (on) =>
      on.onRef('s.merchant', '=', 'h.merchant').onRef('s.id', '=', 'h.subscriptionId'),
    )
    .select(['h.merchant', 'h.subscriptionId', 'h.kind', 'h.status', 'h.chargeId', 'h.receiptId', 'h.amountCents'])
    .select(['h.feeCents', 'h.transactionHash', 'h.failure', 'h.at', 'h.txid', 'h.position'])
    .select(['s.planId', 's.customer', 's.priceCents', 's.period'])
    .where('h.merchant', '=', $.merchant)
    .where('h.txid', '>', $.after)
    .where('h.txid', '<=', $.through)
    .orderBy('h.txid')
    .orderBy('h.position'),
);

type Entry = RowOf<typeof ENTRIES>;

/** The events of a merchant's subscriptions in a range of transactions, in order. */
export async function subscriptionEvents(uow: UnitOfWork, range: FoldRange): Promise<RaisedEvent[]> {
  return (await uow.run(ENTRIES, range)).flatMap((entry) => {
    const kind = kindOf(entry);
    const { merchant, at, txid, position } = entry;
    return kind === null ? [] : { merchant, kind, at, txid, source: `subscription:${position}`, data: dataOf(entry) };
  });
}

const KINDS: Readonly<Record<SubscriptionEventKind, EventKind>> = {
  created: 'subscription.created',
  charged: 'subscription.charged',
  charge_failed: 'subscription.past_due',
  charge_undone: 'subscription.charge_undone',
  cancelled: 'subscription.cancelled',
  revoked: 'subscription.cancelled',
  expired: 'subscription.expired',
};

/** A last failed charge is followed by `expired`, which reports the failure. */
const kindOf = ({ kind, status }: Entry): EventKind | null =>
  kind === 'charge_failed' && status !== 'past_due' ? null : KINDS[kind];

const usd = (cents: number | null) => (cents === null ? null : usdFromCents(cents));

const dataOf = (entry: Entry): object => ({
  subscriptionId: entry.subscriptionId,
  planId: entry.planId,
  merchantWallet: entry.merchant,
  customerWallet: entry.customer,
  status: entry.status,
  priceUsd: usd(entry.priceCents),
  period: entry.period,
  chargeId: entry.chargeId,
  receiptId: entry.receiptId,
  amountUsd: usd(entry.amountCents),
  feeUsd: usd(entry.feeCents),
  transactionHash: entry.transactionHash,
  ...failureOf(entry.failure),
  ...(entry.kind === 'revoked' ? { revokedOnChain: true } : {}),
});
