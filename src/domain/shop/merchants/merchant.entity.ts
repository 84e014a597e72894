import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { PricingConfig } from './pricing.ts';
import type { ShopConfig } from './shop.ts';

const MerchantSchema = defineEntity({
  name: 'Merchant',
  tableName: 'merchants',
  /** A partner's host shows the first merchant of its brand. */
  indexes: [
    { properties: ['brandKey', 'createdAt', 'wallet'] },
    { name: 'merchants_new', expression: 'create index merchants_new on merchants (created_at) where newcomer' },
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
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** A registered merchant with its shop and pricing configuration. */
export class Merchant extends MerchantSchema.class {}
MerchantSchema.setClass(Merchant);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Merchant: TableOf<typeof MerchantSchema>;
  }
}
