import type { Kysely } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import type { Database } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import type { Source } from '../platform/live-feed.ts';
import {
  type Cursor,
  cursorOfRow,
  followTransactions,
  isAfterPosition,
  isSettledRow,
} from '../platform/ordered-feed.ts';
import { query, type RowOf } from '../platform/query.ts';
import { subscriptionsChannel } from './change-subscriptions.ts';

const PAGE = 100;
const HISTORY_MAX = 500;

const eventsIn = (db: Kysely<Database>) =>
  db
    .selectFrom('SubscriptionEvent')
    .select([
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
      cursorOfRow('SubscriptionEvent').as('cursor'),
    ]);

const AFTER = query(
  'subscription-events-after',
  (db, $: Cursor & { readonly merchant: Wallet }) =>
    eventsIn(db)
      .select(isSettledRow('SubscriptionEvent').as('settled'))
      .where('merchant', '=', $.merchant)
      .where(isAfterPosition('SubscriptionEvent', $))
      .orderBy('txid')
      .orderBy('position')
      .limit(PAGE),
  { computed: { cursor: 'text', settled: 'bool' } },
);
const OF_SUBSCRIPTION = query(
  'subscription-history',
  (db, $: { merchant: Wallet; subscriptionId: string }) =>
    eventsIn(db)
      .where('merchant', '=', $.merchant)
      .where('subscriptionId', '=', $.subscriptionId)
      .orderBy('txid', 'desc')
      .orderBy('position', 'desc')
      .limit(HISTORY_MAX),
  { computed: { cursor: 'text' } },
);

/**
 * A subscription event, as its merchant receives it. Money in cents, times in epoch ms. `cursor` is where to resume the
 * stream after this event.
 */
export type SubscriptionEventRecord = Readonly<RowOf<typeof OF_SUBSCRIPTION>>;

/** The last 500 events of a subscription, oldest first. */
export async function readSubscriptionHistory(
  { sql }: Pick<Deps, 'sql'>,
  merchant: Wallet,
  subscriptionId: string,
): Promise<SubscriptionEventRecord[]> {
  return (await sql.run(OF_SUBSCRIPTION, { merchant, subscriptionId })).reverse();
}

/** Streams a merchant's subscription events, after a cursor or from now on: each event once, in order. */
export function followSubscriptions(
  deps: Pick<Deps, 'sql' | 'bus'>,
  { merchant, after }: { merchant: Wallet; after: string | null },
): Promise<Source<SubscriptionEventRecord>> {
  const stream = { channel: subscriptionsChannel(merchant), merchant, after: AFTER, pageSize: PAGE };
  return followTransactions<SubscriptionEventRecord>(deps, stream, after);
}
