import { may, merchantOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { builder, type ObjectFields, throughParent } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { MOST_AT_ONCE, OutcomeType, oneByOne } from '../../../base/graphql/one-by-one.ts';
import { countsAs, OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { type DeliveredKind, EVENT_KINDS, RECEIPT_WEBHOOK } from '../events/kinds.ts';
import { type AttemptRecord, type DeliveryRecord, listDeliveries, readDelivery, redeliver } from './deliveries.ts';
import { reportedStatus } from './enqueue.ts';
import { REPLAY_MAX, type Replay, replayDeliveries, replayInput } from './replay.ts';
import type { AttemptResult } from './send.ts';
import type { DeliveryState as State } from './state.ts';
import { type EndpointTest, type Ping, pingWebhook, testEndpoint } from './test-events.ts';

const WebhookEventKind = vocabulary('WebhookEventKind', 'What a webhook tells of.', {
  ...EVENT_KINDS,
  [RECEIPT_WEBHOOK]: 'The status of a receipt changed, or its buyer’s side reported something.',
} satisfies Record<DeliveredKind, string>);

const DeliveryState = builder.enumType('WebhookDeliveryState', {
  description: 'The state of a delivery: attempts are pending, one was accepted, or all have failed.',
  values: {
    pending: { description: 'An attempt is due or running.' },
    delivered: { description: 'The endpoint accepted an attempt.' },
    failed: { description: 'All attempts failed.' },
  } satisfies Record<State, object>,
});

/** The fields of every attempt: how it was answered. */
const attemptFields = (t: ObjectFields<Omit<AttemptResult, 'ok'>>) => ({
  at: t.expose('at', { type: 'Millis', description: 'When it was sent.' }),
  durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
  statusCode: t.exposeInt('statusCode', {
    nullable: true,
    description: 'The HTTP status of the response, if there was one.',
  }),
  error: t.exposeString('error', { nullable: true, description: 'Why there was no complete response.' }),
  answer: t.exposeString('answer', { nullable: true, description: 'The first KiB of the response.' }),
});

/** The fields of an attempt that is made once, to test an endpoint. */
const testFields = (t: ObjectFields<AttemptResult>) => ({
  ok: t.exposeBoolean('ok', { description: 'Whether the endpoint accepted it: a 2xx within 5 seconds.' }),
  ...attemptFields(t),
});

const WebhookAttempt = builder.objectRef<AttemptRecord>('WebhookAttempt').implement({
  ...throughParent,
  description: 'One attempt to deliver an event.',
  fields: (t) => ({
    number: t.exposeInt('number', {
      description: 'The number of the attempt, from 1. A redelivery continues the count.',
    }),
    ...attemptFields(t),
  }),
});

const WebhookDelivery = builder.objectRef<DeliveryRecord>('WebhookDelivery').implement({
  authScopes: { may: 'webhooks' },
  description: 'An event that is sent to the URL of a receipt, or to an endpoint of the merchant.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The delivery id, sent as `X-Service-Delivery`; for the webhook of a receipt also as `webhook-id`.',
    }),
    receiptId: t.exposeID('receiptId', {
      nullable: true,
      description: 'The receipt whose webhook it is; null for an event that is sent to an endpoint.',
    }),
    seq: t.int({
      nullable: true,
      description: 'The sequence number of the receipt’s history entry; null for an event that is sent to an endpoint.',
      resolve: ({ endpointId, seq }) => (endpointId === null ? seq : null),
    }),
    endpointId: t.exposeID('endpointId', {
      nullable: true,
      description: 'The endpoint that receives the event; null for the webhook of a receipt.',
    }),
    eventId: t.exposeID('eventId', {
      nullable: true,
      description: 'The event that is sent to an endpoint, sent as `webhook-id`; null for the webhook of a receipt.',
    }),
    event: t.expose('event', { type: WebhookEventKind, description: 'What happened.' }),
    status: t.string({
      nullable: true,
      description:
        'What the webhook of a receipt reports, as its body names it: `paid`, `reconciled`, `link_opened`. Null for an event that is sent to an endpoint, which `event` names.',
      resolve: ({ endpointId, body }) => (endpointId === null ? reportedStatus(body) : null),
    }),
    url: t.exposeString('url', { description: 'The URL of the endpoint.' }),
    body: t.string({
      description: 'The body exactly as sent and signed. Empty for a role that does not read receipts.',
      resolve: ({ body }, _args, { caller }) => (may(caller, 'receipts:read') ? body : ''),
    }),
    state: t.expose('state', { type: DeliveryState, description: 'The state of the delivery.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When the event happened.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'Millis',
      nullable: true,
      description: 'When it was accepted, or when the last attempt failed.',
    }),
    attempts: t.expose('attempts', {
      type: [WebhookAttempt],
      description: 'Every attempt with its outcome, in order.',
    }),
  }),
});

builder.queryFields((t) => ({
  webhookDeliveries: t.connection(
    {
      type: WebhookDelivery,
      authScopes: { may: 'webhooks' },
      description: 'The merchant’s webhook deliveries with their attempts, the newest first.',
      args: {
        receiptId: t.arg.id({ description: 'Only those of one receipt.' }),
        endpointId: t.arg.id({ description: 'Only those to one endpoint. Not together with `receiptId`.' }),
        state: t.arg({ type: DeliveryState, description: 'Only those in this state.' }),
      },
      complexity: costOfPage,
      resolve: (_, args, ctx) => connect(args, listDeliveries(ctx.db, merchantOf(ctx.caller), args)),
    },
    ...connectionTypes('WebhookDelivery', 'webhook deliveries'),
  ),
  webhookDelivery: t.field({
    type: WebhookDelivery,
    authScopes: { may: 'webhooks' },
    description: 'One delivery with its attempts. Unknown ones are refused with `not_found`.',
    args: { deliveryId: t.arg.id({ required: true, description: 'The delivery’s id.' }) },
    resolve: (_, { deliveryId }, ctx) => readDelivery(ctx.db, merchantOf(ctx.caller), deliveryId),
  }),
}));

const WebhookPing = builder.objectRef<Ping>('WebhookPing').implement({
  authScopes: { may: 'webhooks' },
  description: 'The result of a test event.',
  fields: (t) => ({
    deliveryId: t.exposeID('deliveryId', {
      description: 'The delivery id, sent as `X-Service-Delivery` and `webhook-id`.',
    }),
    keyId: t.exposeID('keyId', { description: 'The key that signed it.' }),
    body: t.exposeString('body', { description: 'The body exactly as sent.' }),
    ...testFields(t),
  }),
});

const EndpointTestResult = builder.objectRef<EndpointTest>('WebhookEndpointTest').implement({
  authScopes: { may: 'webhooks' },
  description: 'The result of a test event.',
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'The id of the event, sent as `webhook-id`.' }),
    body: t.exposeString('body', { description: 'The body exactly as sent.' }),
    ...testFields(t),
  }),
});

const WebhookReplay = builder.objectRef<Replay>('WebhookReplay').implement({
  authScopes: { may: 'webhooks' },
  description: 'The result of a replay.',
  fields: (t) => ({
    queued: t.exposeInt('queued', { description: 'The number of deliveries that are sent again.' }),
    nextSince: t.expose('nextSince', {
      type: 'Millis',
      nullable: true,
      description: 'The `since` with which to go on; null if there are no more.',
    }),
  }),
});

const ReplayInput = builder.inputType('ReplayWebhooksInput', {
  description: 'Which deliveries to send again.',
  fields: (t) => ({
    since: t.field({ type: 'Millis', required: true, description: 'Those of events since then.' }),
    kind: t.string({
      description: 'Only those of this kind of event, such as `receipt.paid`, `receipt.*` or `receipt.status_updated`.',
    }),
    endpointId: t.id({ description: 'Only those to this endpoint.' }),
    failedOnly: t.boolean({ description: 'False: also those that were accepted. Default: true.' }),
  }),
});

builder.mutationFields((t) => ({
  replayWebhooks: t.field({
    ...audits('others', 'webhook.replayed'),
    type: WebhookReplay,
    authScopes: { mayWrite: 'webhooks' },
    description: `Sends up to ${REPLAY_MAX} deliveries again, the oldest first: the same ids and bodies, with new attempts.`,
    args: { input: t.arg({ type: ReplayInput, required: true, description: 'The selection.' }) },
    resolve: (_, { input }, ctx) => replayDeliveries(ctx, merchantOf(ctx.caller), parseInput(replayInput, input)),
  }),
  redeliverWebhook: t.field({
    ...audits('others', 'webhook.replayed'),
    type: WebhookDelivery,
    authScopes: { mayWrite: 'webhooks' },
    description: 'Sends a delivery again: the same id and body, with a new pair of attempts.',
    args: { deliveryId: t.arg.id({ required: true, description: 'The delivery’s id.' }) },
    resolve: (_, { deliveryId }, ctx) => redeliver(ctx, merchantOf(ctx.caller), deliveryId),
  }),
  redeliverWebhooks: t.field({
    ...audits('others', 'webhook.replayed'),
    type: [OutcomeType],
    authScopes: { mayWrite: 'webhooks' },
    description: `Does what \`redeliverWebhook\` does to each delivery, at most ${MOST_AT_ONCE}. One that is refused does not stop the others.`,
    complexity: ({ deliveryIds }) => ({ field: 1, multiplier: deliveryIds.length }),
    args: { deliveryIds: t.arg.idList({ required: true, description: 'The ids of the deliveries.' }) },
    resolve: (_, { deliveryIds }, ctx) => oneByOne(deliveryIds, (id) => redeliver(ctx, merchantOf(ctx.caller), id)),
  }),
  pingWebhook: t.field({
    ...countsAs('others'),
    type: WebhookPing,
    authScopes: { mayWrite: 'webhooks' },
    description: 'Sends a signed test event (`ping`) to an endpoint once, and returns its response.',
    complexity: OUTSIDE_POINTS,
    args: {
      url: t.arg.string({ required: true, description: 'The endpoint.' }),
      keyId: t.arg.id({ description: 'The key to sign with; else the newest that is not revoked.' }),
    },
    resolve: (_, args, ctx) => pingWebhook(ctx, merchantOf(ctx.caller), args),
  }),
  testWebhookEndpoint: t.field({
    ...countsAs('others'),
    type: EndpointTestResult,
    authScopes: { mayWrite: 'webhooks' },
    description: 'Sends an event of type `ping` to an endpoint once, signed as every event, and returns its response.',
    complexity: OUTSIDE_POINTS,
    args: { endpointId: t.arg.id({ required: true, description: 'The id of the endpoint.' }) },
    resolve: (_, args, ctx) => testEndpoint(ctx, merchantOf(ctx.caller), args.endpointId),
  }),
}));
