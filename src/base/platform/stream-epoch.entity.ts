import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from './postgres/database.ts';

const StreamEpochSchema = defineEntity({
  name: 'StreamEpoch',
  tableName: 'stream_epoch',
  properties: {
    /** The only row is `streams`. */
    name: p.text().primary(),
    /** Eight hex digits: the first part of every stream cursor. */
    epoch: p.text(),
    /** The PostgreSQL cluster in which the epoch began; null without the privilege to read it. */
    systemIdentifier: p.text().nullable(),
    /** Whether it is the first epoch. A cursor without an epoch belongs to it. */
    isFirst: p.boolean(),
    startedAt: p.bigint('number'),
  },
});

/** The epoch of the database's stream cursors. */
export class StreamEpoch extends StreamEpochSchema.class {}
StreamEpochSchema.setClass(StreamEpoch);

declare module './postgres/database.ts' {
  interface Database {
    StreamEpoch: TableOf<typeof StreamEpochSchema>;
  }
}
