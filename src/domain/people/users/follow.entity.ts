import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const FollowSchema = defineEntity({
  name: 'Follow',
  tableName: 'follows',
  properties: {
    follower: p.text().$type<Wallet>().primary(),
    followed: p.text().$type<Wallet>().primary(),
    createdAt: p.bigint('number'),
  },
});

/** One wallet follows another. */
export class Follow extends FollowSchema.class {}
FollowSchema.setClass(Follow);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Follow: TableOf<typeof FollowSchema>;
  }
}
