import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import type { Source } from '../platform/live-feed.ts';
import { CURSOR_PREFIX, followTransactions } from '../platform/ordered-feed.ts';
import { statement } from '../platform/sql.ts';
import { subscriptionsChannel } from './record-event.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';
import type { SubscriptionEventKind } from './subscription-event.entity.ts';

/** A subscription event, as its merchant receives it. Money in cents, times in epoch ms. */
export interface SubscriptionEventRecord {
  readonly subscriptionId: string;
  readonly kind: SubscriptionEventKind;
  readonly status: SubscriptionStatus;
  readonly chargeId: string | null;
  readonly receiptId: string | null;
  readonly amountCents: number | null;
  readonly feeCents: number | null;
  readonly transactionHash: string | null;
  readonly failure: string | null;
  readonly at: number;
  /** Where to resume the stream after this event. */
  readonly cursor: string;
}

const PAGE = 100;

const COLUMNS = `subscription_id as "subscriptionId", kind, status, charge_id as "chargeId", receipt_id as "receiptId", amount_cents as "amountCents",
  fee_cents as "feeCents", transaction_hash as "transactionHash", failure, at, ${CURSOR_PREFIX} || txid || '.' || position as cursor`;

/** A row is settled if its transaction is older than every open one: no row can appear before it later. */
const AFTER = statement(
  'subscription-events-after',
  `select ${COLUMNS}, txid < pg_snapshot_xmin(pg_current_snapshot()) as settled from subscription_events
    where merchant = $1 and (txid, position) > ($2::xid8, $3::bigint) order by txid, position limit ${PAGE}`,
);
const OF_SUBSCRIPTION = statement(
  'subscription-history',
  `select ${COLUMNS} from subscription_events where merchant = $1 and subscription_id = $2 order by txid desc, position desc limit 500`,
);

/** The last 500 events of a subscription, oldest first. */
export async function readSubscriptionHistory(
  { sql }: Pick<Deps, 'sql'>,
  merchant: Wallet,
  subscriptionId: string,
): Promise<SubscriptionEventRecord[]> {
  return (await sql.rows<SubscriptionEventRecord>(OF_SUBSCRIPTION, [merchant, subscriptionId])).reverse();
}

/** Streams a merchant's subscription events, after a cursor or from now on: each event once, in order. */
export function followSubscriptions(
  deps: Pick<Deps, 'sql' | 'bus'>,
  { merchant, after }: { merchant: Wallet; after: string | null },
): Promise<Source<SubscriptionEventRecord>> {
  const stream = { channel: subscriptionsChannel(merchant), merchant, after: AFTER, pageSize: PAGE };
  return followTransactions<SubscriptionEventRecord>(deps, stream, after);
}
