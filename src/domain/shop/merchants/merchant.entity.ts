import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { MemberRole } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database, TableOf } from '../../../base/platform/postgres/database.ts';
import type { PricingConfig } from './pricing.ts';
import type { ShopConfig } from './shop.ts';

export const MerchantSchema = defineEntity({
  name: 'Merchant',
  tableName: 'merchants',
  /** A partner's host shows the first merchant of its brand. */
  indexes: [
    { properties: ['brandKey', 'createdAt', 'wallet'] },
    { name: 'merchants_new', expression: 'create index merchants_new on merchants (created_at) where newcomer' },
    {
      name: 'merchants_recounted',
      expression: `create index merchants_recounted on merchants (wallet)
        where coalesce(shop ->> 'timeZone', 'UTC') <> counted_zone`,
    },
  ],
  properties: {
    wallet: p.text().$type<Wallet>().primary(),
    name: p.text(),
    brandKey: p.text(),
    shop: p.json().$type<ShopConfig>(),
    pricing: p.json().$type<PricingConfig>(),
    /**
     * Incremented by every write to catalog, shop, tax or split. Orders priced from an older version are not booked.
     */
    version: p.bigint('number').default(1),
    /** Since when the operator has suspended it, epoch ms, and why. */
    suspendedAt: p.bigint('number').nullable(),
    suspendedReason: p.text().nullable(),
    /** Whether its wallet registered it freely, and the operator has not admitted it. */
    newcomer: p.boolean().default(false),
    /** The time zone in which the statistics count its days: that of its shop, as soon as they have noticed it. */
    countedZone: p.text().default('UTC'),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** A registered merchant with its shop and pricing configuration. */
export type Merchant = Selectable<Database['Merchant']>;

export const MemberSchema = defineEntity({
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
export type Member = Selectable<Database['Member']>;

/** A code with which one wallet may register a merchant. */
export const MerchantInviteSchema = defineEntity({
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

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Merchant: TableOf<typeof MerchantSchema>;
    Member: TableOf<typeof MemberSchema>;
    MerchantInvite: TableOf<typeof MerchantInviteSchema>;
  }
}
