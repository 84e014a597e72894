import { defineEntity, p } from '@mikro-orm/core';
import type { MemberRole } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'merchant_invitations',
  indexes: [{ properties: ['merchant', 'createdAt'] }],
  properties: {
    id: p.text().primary(),
    merchant: p.text().$type<Wallet>(),
    role: p.text().$type<MemberRole>(),
    /** A name for the person, which becomes the member's. */
    label: p.text().nullable(),
    /** Hex SHA-256 of the token. The token itself is not stored. */
    digest: p.text().unique(),
    createdAt: p.bigint('number'),
    createdBy: p.text().$type<Wallet>(),
    expiresAt: p.bigint('number'),
    usedAt: p.bigint('number').nullable(),
    usedBy: p.text().$type<Wallet>().nullable(),
    revokedAt: p.bigint('number').nullable(),
  },
});

/** An offer to join a merchant with a role. The holder of its token may accept it once. */
export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Invitation: TableOf<typeof InvitationSchema>;
  }
}
