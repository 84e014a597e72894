import { merchantOf } from '../../../base/core/caller.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { live } from '../../../base/graphql/live.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { FailureCodeEnum } from '../../sales/receipts/failure-type.ts';
import { failureCodeOf } from '../../sales/receipts/failures.ts';
import { followSubscriptions, listSubscriptionEvents, type SubscriptionEventRecord } from './event-stream.ts';
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
