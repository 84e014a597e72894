import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../../platform/postgres/database.ts';

const ChainReorganizationSchema = defineEntity({
  name: 'ChainReorganization',
  tableName: 'chain_reorganizations',
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    /** The newest block that was seen of the replaced branch. */
    head: p.bigint('number').primary().autoincrement(false),
    /** The last block before the replaced ones. */
    fork: p.bigint('number').primary().autoincrement(false),
  },
});

/** A range of blocks that other blocks have replaced. A head that was recorded meanwhile may be one of them. */
export class ChainReorganization extends ChainReorganizationSchema.class {}
ChainReorganizationSchema.setClass(ChainReorganization);

declare module '../../platform/postgres/database.ts' {
  interface Database {
    ChainReorganization: TableOf<typeof ChainReorganizationSchema>;
  }
}
