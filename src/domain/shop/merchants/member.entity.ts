import { defineEntity, p } from '@mikro-orm/core';
import type { MemberRole } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const MemberSchema = defineEntity({
  name: 'Member',
  tableName: 'merchant_members',
  /** A wallet that signs in needs its merchants. */
  indexes: [{ properties: ['wallet', 'createdAt'] }],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    wallet: p.text().$type<Wallet>().primary(),
    role: p.text().$type<MemberRole>(),
    /** A name that other members see. */
    label: p.text().nullable(),
    createdAt: p.bigint('number'),
    /** The member who invited it; null for the merchant's own wallet. */
    addedBy: p.text().$type<Wallet>().nullable(),
  },
});

/** A wallet that belongs to a merchant, with its role. The merchant's own wallet is its first owner. */
export class Member extends MemberSchema.class {}
MemberSchema.setClass(Member);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Member: TableOf<typeof MemberSchema>;
  }
}
