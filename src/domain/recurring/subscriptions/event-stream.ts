import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { Db } from '../../../base/platform/db.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import type { Source } from '../../../base/platform/live-feed.ts';
import { cursorOfRow, followTransactions, type PagePosition, pageAfter } from '../../../base/platform/ordered-feed.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { subscriptionsChannel } from './change-subscriptions.ts';

const EVENT_COLUMNS = [
  'subscriptionId',
  'kind',
  'status',
  'chargeId',
  'receiptId',
  'amountCents',
  'feeCents',
  'transactionHash',
  'failure',
  'at',
] as const;

const AFTER = query(
  'subscription-events-after',
  (db, $: PagePosition) =>
    pageAfter(
      db.selectFrom('SubscriptionEvent').select(EVENT_COLUMNS).select(cursorOfRow('SubscriptionEvent').as('cursor')),
      'SubscriptionEvent',
      $,
    ),
  { computed: { cursor: 'text', settled: 'bool' } },
);
/** The changes of one subscription are written one after the other, so positions are in their order. */
const HISTORY = keysetList('subscription-history', {
  order: {
    name: 'subscription-history',
    direction: 'asc',
    keys: [{ name: 'place', type: 'int8', sql: sql`${sql.ref('position')}` }],
  },
  from: (db, $: { merchant: Wallet; subscriptionId: string }) =>
    db
      .selectFrom('SubscriptionEvent')
      .where('merchant', '=', $.merchant)
      .where('subscriptionId', '=', $.subscriptionId),
  select: (events) =>
    events
      .select(EVENT_COLUMNS)
      .select([cursorOfRow('SubscriptionEvent').as('cursor'), sql<number>`${sql.ref('position')}`.as('place')]),
  computed: { cursor: 'text', place: 'int8' },
});

/**
 * A subscription event, as its merchant receives it. Money in cents, times in epoch ms. `cursor` is where to resume the
 * stream after this event.
 */
export type SubscriptionEventRecord = Readonly<Omit<RowOf<typeof AFTER>, 'settled'>>;

/** The events of a subscription of the merchant, oldest first. */
export const listSubscriptionEvents = (
  db: Db,
  merchant: Wallet,
  subscriptionId: string,
): Listing<SubscriptionEventRecord> =>
  listing(db, HISTORY, { merchant, subscriptionId }, `${merchant} ${subscriptionId}`);

/** Streams a merchant's subscription events, after a cursor or from now on: each event once, in order. */
export function followSubscriptions(
  db: Db,
  bus: Bus,
  { merchant, after }: { merchant: Wallet; after: string | null },
): Promise<Source<SubscriptionEventRecord>> {
  const stream = { channel: subscriptionsChannel(merchant), merchant, after: AFTER };
  return followTransactions<SubscriptionEventRecord>(db, bus, stream, after);
}
