import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const CoinWatchSchema = defineEntity({
  name: 'CoinWatch',
  tableName: 'coin_watches',
  indexes: [{ properties: ['chainId', 'until'] }],
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    /** An address of a receipt. */
    address: p.text().$type<Wallet>().primary(),
    /** Epoch ms. */
    until: p.bigint('number'),
  },
});

/** An address whose balance of coins is read with the blocks, because its buyer was quoted coins. */
export class CoinWatch extends CoinWatchSchema.class {}
CoinWatchSchema.setClass(CoinWatch);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    CoinWatch: TableOf<typeof CoinWatchSchema>;
  }
}
