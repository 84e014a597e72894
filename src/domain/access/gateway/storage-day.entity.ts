import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

/** The size of the database at the beginning of a day. */
export const StorageDaySchema = defineEntity({
  name: 'StorageDay',
  tableName: 'storage_days',
  properties: {
    /** Days since 1970-01-01 (UTC). */
    day: p.integer().primary().autoincrement(false),
    /** The size of the database when it was first read on that day. */
    bytes: p.bigint('number'),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    StorageDay: TableOf<typeof StorageDaySchema>;
  }
}
