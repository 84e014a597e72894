import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../../platform/postgres/database.ts';

/** The watcher's position in a chain. */
export const ChainCursorSchema = defineEntity({
  name: 'ChainCursor',
  tableName: 'chain_cursors',
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    /** The newest block seen. */
    head: p.bigint('number'),
    /** The last block that was read once. */
    scanned: p.bigint('number'),
    /**
     * The last block whose transfers to receipts' addresses were read. It is `scanned`, unless a server of version 0.1
     * leads, which does not know addresses; null if none that does has led.
     */
    addressesScanned: p.bigint('number').nullable(),
    /** The last block that was read again at full depth. */
    confirmed: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** A block's hash when it was read; a different hash at the same number means a reorganisation. */
export const ChainBlockSchema = defineEntity({
  name: 'ChainBlock',
  tableName: 'chain_blocks',
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    number: p.bigint('number').primary().autoincrement(false),
    hash: p.text().$type<`0x${string}`>(),
    timeMs: p.bigint('number'),
  },
});

/** A range of blocks that other blocks have replaced. A head that was recorded meanwhile may be one of them. */
export const ChainReorganizationSchema = defineEntity({
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

declare module '../../platform/postgres/database.ts' {
  interface Database {
    ChainCursor: TableOf<typeof ChainCursorSchema>;
    ChainBlock: TableOf<typeof ChainBlockSchema>;
    ChainReorganization: TableOf<typeof ChainReorganizationSchema>;
  }
}
