import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';
import type { DeliveryState } from './lifecycle.ts';

const DeliverySchema = defineEntity({
  name: 'Delivery',
  tableName: 'webhook_deliveries',
  indexes: [{ properties: ['merchant', 'createdAt'] }],
  uniques: [{ properties: ['merchant', 'receiptId', 'seq'] }],
  properties: {
    /** A UUID, sent as the delivery id. */
    id: p.text().primary(),
    merchant: p.text().$type<Wallet>(),
    receiptId: p.text(),
    /** The history entry that the event reports. */
    seq: p.integer(),
    event: p.text(),
    url: p.text(),
    /** The key that signs it. */
    keyId: p.text(),
    /** The body as sent. Signature and replay use exactly these bytes. */
    body: p.text(),
    state: p.text().$type<DeliveryState>(),
    createdAt: p.bigint('number'),
    finishedAt: p.bigint('number').nullable(),
  },
});

/** An event to be delivered to a merchant's endpoint. */
export class Delivery extends DeliverySchema.class {}
DeliverySchema.setClass(Delivery);

const AttemptSchema = defineEntity({
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
export class Attempt extends AttemptSchema.class {}
AttemptSchema.setClass(Attempt);

declare module '../platform/database.ts' {
  interface Database {
    Delivery: TableOf<typeof DeliverySchema>;
    Attempt: TableOf<typeof AttemptSchema>;
  }
}
