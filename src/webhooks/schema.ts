import { merchantOf } from '../core/caller.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { countsAs, OUTSIDE_POINTS } from '../graphql/rate.ts';
import { type AttemptRecord, type DeliveryRecord, listDeliveries, readDelivery, redeliver } from './deliveries.ts';
import { type Ping, pingWebhook } from './ping.ts';

const DeliveryState = builder.enumType('WebhookDeliveryState', {
  description: 'What became of a delivery: attempts are still owed, one of them was accepted, or all of them failed.',
  values: ['pending', 'delivered', 'failed'] as const,
});

const WebhookAttempt = builder.objectRef<AttemptRecord>('WebhookAttempt').implement({
  ...throughParent,
  description: 'One try to deliver an event.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Counts from 1; a redelivery counts on.' }),
    at: t.expose('at', { type: 'Millis', description: 'When it was sent.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
    statusCode: t.exposeInt('statusCode', { nullable: true, description: 'The answer’s HTTP status, if one came.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why there was no whole answer.' }),
    answer: t.exposeString('answer', { nullable: true, description: 'The first KiB of the answer.' }),
  }),
});

const WebhookDelivery = builder.objectRef<DeliveryRecord>('WebhookDelivery').implement({
  authScopes: { admin: true },
  description: 'An event that is, or was, owed to the endpoint of a receipt.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The delivery id that went out in `X-Service-Delivery` and `webhook-id`.' }),
    receiptId: t.exposeString('receiptId', { description: 'The receipt it tells of.' }),
    seq: t.exposeInt('seq', { description: 'The row of the receipt’s history it tells of.' }),
    event: t.exposeString('event', { description: 'The event kind.' }),
    url: t.exposeString('url', { description: 'Where it goes.' }),
    body: t.exposeString('body', { description: 'The body exactly as sent: these bytes are what is signed.' }),
    state: t.expose('state', { type: DeliveryState, description: 'What became of it.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When the event happened.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'Millis',
      nullable: true,
      description: 'When it was accepted, or given up.',
    }),
    attempts: t.expose('attempts', {
      type: [WebhookAttempt],
      description: 'Every attempt with its outcome, in order.',
    }),
  }),
});

builder.queryFields((t) => ({
  webhookDeliveries: t.field({
    type: [WebhookDelivery],
    authScopes: { admin: true },
    description: 'The merchant’s webhook deliveries with their attempts, the newest first.',
    args: {
      limit: t.arg.int({ defaultValue: 50, description: 'At most so many, from 1 to 200.' }),
      receiptId: t.arg.string({ description: 'Only those of one receipt.' }),
      state: t.arg({ type: DeliveryState, description: 'Only those in this state.' }),
      after: t.arg.id({ description: 'The last delivery of the page before: goes on after it.' }),
    },
    complexity: ({ limit }) => ({ field: 1, multiplier: Math.min(Math.max(limit ?? 50, 1), 200) }),
    resolve: (_, args, ctx) => listDeliveries(ctx, merchantOf(ctx.caller), args),
  }),
  webhookDelivery: t.field({
    type: WebhookDelivery,
    authScopes: { admin: true },
    description: 'One delivery with its attempts. Unknown ones are refused with `not_found`.',
    args: { deliveryId: t.arg.id({ required: true, description: 'The delivery’s id.' }) },
    resolve: (_, { deliveryId }, ctx) => readDelivery(ctx, merchantOf(ctx.caller), deliveryId),
  }),
}));

const WebhookPing = builder.objectRef<Ping>('WebhookPing').implement({
  authScopes: { admin: true },
  description: 'What came of a test event.',
  fields: (t) => ({
    deliveryId: t.exposeID('deliveryId', { description: 'As it went out in `X-Service-Delivery` and `webhook-id`.' }),
    keyId: t.exposeID('keyId', { description: 'The key that signed it.' }),
    body: t.exposeString('body', { description: 'The body exactly as sent.' }),
    ok: t.exposeBoolean('ok', { description: 'Whether the endpoint took it: a 2xx within 5 seconds.' }),
    at: t.expose('at', { type: 'Millis', description: 'When it was sent.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
    statusCode: t.exposeInt('statusCode', { nullable: true, description: 'The answer’s HTTP status, if one came.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why there was no whole answer.' }),
    answer: t.exposeString('answer', { nullable: true, description: 'The first KiB of the answer.' }),
  }),
});

builder.mutationFields((t) => ({
  redeliverWebhook: t.field({
    ...countsAs('others'),
    type: WebhookDelivery,
    authScopes: { adminWrite: true },
    description: 'Sends a delivery again: the same id and body, with a new pair of attempts.',
    args: { deliveryId: t.arg.id({ required: true, description: 'The delivery’s id.' }) },
    resolve: (_, { deliveryId }, ctx) => redeliver(ctx, merchantOf(ctx.caller), deliveryId),
  }),
  pingWebhook: t.field({
    ...countsAs('others'),
    type: WebhookPing,
    authScopes: { adminWrite: true },
    description: 'Sends a signed test event (`ping`) to an endpoint, once, and tells what it answered.',
    complexity: OUTSIDE_POINTS,
    args: {
      url: t.arg.string({ required: true, description: 'The endpoint.' }),
      keyId: t.arg.id({ description: 'The key to sign with; else the newest that is not revoked.' }),
    },
    resolve: (_, args, ctx) => pingWebhook(ctx, merchantOf(ctx.caller), args),
  }),
}));
