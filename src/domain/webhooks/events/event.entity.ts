import { defineEntity, type Opt, p } from '@mikro-orm/core';
import type { Generated } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { EventKind } from './kinds.ts';

/** Something that happened to a merchant's records, for its endpoints and its feed. */
export const MerchantEventSchema = defineEntity({
  name: 'MerchantEvent',
  tableName: 'merchant_events',
  indexes: [
    {
      name: 'merchant_events_stream',
      expression: 'create index merchant_events_stream on merchant_events (merchant, txid, position)',
    },
    { properties: ['createdAt'] },
  ],
  uniques: [{ properties: ['merchant', 'source'] }],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** A merchant's events are ordered by (txid, position). */
    position: p.bigint('string').$type<Opt<string>>().columnType('bigint').generated('identity').primary(),
    /** The transaction of the change that the event reports. */
    txid: p.bigint('string').columnType('xid8').defaultRaw('pg_current_xact_id()'),
    id: p.text(),
    kind: p.text().$type<EventKind>(),
    /** What the event reports, such as a row of a history: each is reported once. */
    source: p.text(),
    /** The body as sent: `id`, `type`, `createdAt` and `data`. Feed, webhooks and replay send exactly these bytes. */
    body: p.text(),
    /** When it happened, epoch ms. */
    createdAt: p.bigint('number'),
  },
});

/** Something that happened to a merchant's records, for its endpoints and its feed. */
declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    MerchantEvent: Omit<TableOf<typeof MerchantEventSchema>, 'position'> & { position: Generated<string> };
  }
}
