import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const MerchantInviteSchema = defineEntity({
  name: 'MerchantInvite',
  tableName: 'merchant_invites',
  properties: {
    id: p.text().primary(),
    /** Hex SHA-256 of the code. */
    digest: p.text().unique(),
    /** A note of the operator; may be empty. */
    note: p.text(),
    createdAt: p.bigint('number'),
    expiresAt: p.bigint('number'),
    usedAt: p.bigint('number').nullable(),
    /** The merchant that was registered with it. */
    usedBy: p.text().$type<Wallet>().nullable(),
  },
});

/** A code with which one wallet may register a merchant. */
export class MerchantInvite extends MerchantInviteSchema.class {}
MerchantInviteSchema.setClass(MerchantInvite);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    MerchantInvite: TableOf<typeof MerchantInviteSchema>;
  }
}
