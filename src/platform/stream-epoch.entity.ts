import { defineEntity, p } from '@mikro-orm/core';

const StreamEpochSchema = defineEntity({
  name: 'StreamEpoch',
  tableName: 'stream_epoch',
  properties: {
    /** The only row is `streams`. */
    name: p.text().primary(),
    /** Eight hex digits: the first part of every stream cursor. */
    epoch: p.text(),
    /** The PostgreSQL cluster in which the epoch began; null where the server may not read it. */
    systemIdentifier: p.text().nullable(),
    /** No epoch was before it, so that a cursor without an epoch belongs to it. */
    isFirst: p.boolean(),
    startedAt: p.bigint('number'),
  },
});

/** The epoch of the database's stream cursors. */
export class StreamEpoch extends StreamEpochSchema.class {}
StreamEpochSchema.setClass(StreamEpoch);
