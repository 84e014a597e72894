import { defineEntity, p } from '@mikro-orm/core';
import type { Generated } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { DeliveredKind } from '../events/kinds.ts';
import type { DeliveryState } from './state.ts';

/** An event to be delivered: to the address that a receipt names, or to an endpoint of the merchant. */
export const DeliverySchema = defineEntity({
  name: 'Delivery',
  tableName: 'webhook_deliveries',
  indexes: [
    { properties: ['merchant', 'createdAt'] },
    {
      name: 'webhook_deliveries_of_event',
      expression:
        'create unique index webhook_deliveries_of_event on webhook_deliveries (endpoint_id, event_id) where endpoint_id is not null',
    },
    {
      name: 'webhook_deliveries_of_endpoint',
      expression:
        'create index webhook_deliveries_of_endpoint on webhook_deliveries (merchant, endpoint_id, created_at) where endpoint_id is not null',
    },
  ],
  uniques: [{ properties: ['merchant', 'receiptId', 'seq'] }],
  properties: {
    /** A UUID, sent as the delivery id. */
    id: p.text().primary(),
    merchant: p.text().$type<Wallet>(),
    /** The receipt whose webhook it is; null for an event that is sent to an endpoint. */
    receiptId: p.text().nullable(),
    /** The history entry that a receipt's webhook reports; 0 for an event that is sent to an endpoint. */
    seq: p.integer(),
    /** The endpoint and the event; null for a receipt's webhook. */
    endpointId: p.text().nullable(),
    eventId: p.text().nullable(),
    event: p.text().$type<DeliveredKind>(),
    url: p.text(),
    /** The API key that signs it; null if the endpoint's secret does. */
    keyId: p.text().nullable(),
    /** The body as sent. Signature and replay use exactly these bytes. */
    body: p.text(),
    state: p.text().$type<DeliveryState>(),
    createdAt: p.bigint('number'),
    finishedAt: p.bigint('number').nullable(),
  },
});

/** One attempt to deliver, with its result. */
export const AttemptSchema = defineEntity({
  name: 'Attempt',
  tableName: 'webhook_attempts',
  properties: {
    deliveryId: p.text().primary(),
    number: p.integer().primary(),
    at: p.bigint('number'),
    durationMs: p.integer(),
    statusCode: p.integer().nullable(),
    error: p.text().nullable(),
    /** The first KiB of the response. */
    answer: p.text().nullable(),
  },
});

/** One attempt to deliver, with its result. */
/** The attempts that a pending delivery still has. */
export const WebhookJobSchema = defineEntity({
  name: 'WebhookJob',
  tableName: 'webhook_jobs',
  indexes: [{ name: 'webhook_jobs_due', properties: ['dueAt', 'id'] }],
  properties: {
    id: p.bigint('number').columnType('bigint').generated('identity').primary(),
    deliveryId: p.text(),
    /** A digest of the address. A worker sends only so many requests to one endpoint at once. */
    endpoint: p.text(),
    /** The number of the next attempt, from 1. A redelivery is a new job and begins again. */
    attempt: p.integer(),
    /** When it may be claimed, epoch ms of the database. A claim moves it to the end of the claim. */
    dueAt: p.bigint('number'),
    /** How often it was claimed. The number names the claim. */
    claims: p.integer().default(0),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Delivery: TableOf<typeof DeliverySchema>;
    Attempt: TableOf<typeof AttemptSchema>;
    /** PostgreSQL generates the id. */
    WebhookJob: Omit<TableOf<typeof WebhookJobSchema>, 'id'> & { id: Generated<number> };
  }
}
