import { sql } from 'kysely';
import { merchantOf } from '../../../base/core/caller.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { live } from '../../../base/graphql/live.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { Db } from '../../../base/platform/db.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import type { Source } from '../../../base/platform/live-feed.ts';
import { cursorOfRow, followTransactions, type PagePosition, pageAfter } from '../../../base/platform/ordered-feed.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { FailureCodeEnum, failureCodeOf } from '../../sales/receipts/failures.ts';
import { subscriptionsChannel } from './change-subscriptions.ts';
import type { SubscriptionEventKind } from './subscription.entity.ts';
import { SubscriptionStateEnum } from './subscription-schema.ts';

const usd = (cents: number | null): number | null => (cents === null ? null : usdFromCents(cents));

const EventKindEnum = vocabulary('SubscriptionEventKind', 'What happened to a subscription.', {
  created: 'The customer subscribed.',
  charged: 'A charge succeeded.',
  charge_failed: 'A charge failed.',
  charge_undone: 'A reorganisation of the chain removed a charge.',
  cancelled: 'The customer cancelled.',
  revoked: 'The customer revoked the permission on the chain.',
  expired: 'The permission has ended, or every retry failed.',
} satisfies Record<SubscriptionEventKind, string>);

const SubscriptionEventType = builder.objectRef<SubscriptionEventRecord>('SubscriptionEvent').implement({
  description: 'A change of a subscription.',
  authScopes: { scope: 'receipts:read', may: 'receipts:read' },
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ cursor }) => globalId('SubscriptionEvent', cursor) }),
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription that changed.' }),
    kind: t.expose('kind', { type: EventKindEnum, description: 'What happened.' }),
    status: t.expose('status', {
      type: SubscriptionStateEnum,
      description: 'The subscription’s status after the event.',
    }),
    chargeId: t.exposeID('chargeId', { nullable: true, description: 'The charge that the event reports.' }),
    receiptId: t.exposeID('receiptId', { nullable: true, description: 'The receipt of that charge.' }),
    amountUsd: t.field({
      type: 'Usd',
      nullable: true,
      description: 'The amount charged.',
      resolve: ({ amountCents }) => usd(amountCents),
    }),
    feeUsd: t.field({
      type: 'Usd',
      nullable: true,
      description: 'The platform’s fee, which is part of the amount.',
      resolve: ({ feeCents }) => usd(feeCents),
    }),
    transactionHash: t.expose('transactionHash', { type: 'Hex', nullable: true, description: 'The transaction.' }),
    failureCode: t.field({
      type: FailureCodeEnum,
      nullable: true,
      description: 'Why a charge failed.',
      resolve: ({ failure }) => failureCodeOf(failure),
    }),
    at: t.expose('at', {
      type: 'Millis',
      description: 'The block’s time for events on the chain, the server’s time for others.',
    }),
    cursor: t.exposeString('cursor', { description: 'Where to resume the stream after this event.' }),
  }),
});

builder.queryFields((t) => ({
  subscriptionHistory: t.connection(
    {
      type: SubscriptionEventType,
      description: 'The events of a subscription of the merchant, oldest first. `last` reads the newest ones.',
      authScopes: { scope: 'receipts:read', may: 'receipts:read' },
      complexity: costOfPage,
      args: { subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }) },
      resolve: (_, { subscriptionId, ...page }, ctx) =>
        connect(page, listSubscriptionEvents(ctx.db, merchantOf(ctx.caller), subscriptionId)),
    },
    ...connectionTypes('SubscriptionEvent', 'events of a subscription'),
  ),
}));

builder.subscriptionFields((t) => ({
  subscriptionEvents: t.field({
    type: SubscriptionEventType,
    description: 'Events of all subscriptions of the merchant, from now on or after a cursor.',
    authScopes: { scope: 'receipts:read', may: 'receipts:read' },
    args: { after: t.arg.string({ description: 'The `cursor` of the last event received.' }) },
    extensions: { cursorArg: 'after' },
    subscribe: async (_root, args, context) =>
      live(
        await followSubscriptions(context.db, context.bus, {
          merchant: merchantOf(context.caller),
          after: args.after ?? null,
        }),
      ),
    resolve: (event) => event as SubscriptionEventRecord,
  }),
}));

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
type SubscriptionEventRecord = Readonly<Omit<RowOf<typeof AFTER>, 'settled'>>;

/** The events of a subscription of the merchant, oldest first. */
const listSubscriptionEvents = (db: Db, merchant: Wallet, subscriptionId: string): Listing<SubscriptionEventRecord> =>
  listing(db, HISTORY, { merchant, subscriptionId }, `${merchant} ${subscriptionId}`);

/** Streams a merchant's subscription events, after a cursor or from now on: each event once, in order. */
function followSubscriptions(
  db: Db,
  bus: Bus,
  { merchant, after }: { merchant: Wallet; after: string | null },
): Promise<Source<SubscriptionEventRecord>> {
  const stream = { channel: subscriptionsChannel(merchant), merchant, after: AFTER };
  return followTransactions<SubscriptionEventRecord>(db, bus, stream, after);
}
