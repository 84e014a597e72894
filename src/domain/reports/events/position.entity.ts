import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const EventPositionSchema = defineEntity({
  name: 'EventPosition',
  tableName: 'event_positions',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** The histories are folded into events, and the events are handed to the endpoints, up to this transaction. */
    foldedThrough: p.bigint('string').columnType('xid8'),
    /** The epoch to which the transaction ids belong. */
    epoch: p.text(),
    /** Old events are deleted up to this transaction. */
    deletedThrough: p.bigint('string').columnType('xid8'),
  },
});

/** How far a merchant's histories are folded. A merchant that uses no events has none. */
export class EventPosition extends EventPositionSchema.class {}
EventPositionSchema.setClass(EventPosition);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    EventPosition: TableOf<typeof EventPositionSchema>;
  }
}
