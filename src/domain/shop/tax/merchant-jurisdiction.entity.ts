import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const MerchantJurisdictionSchema = defineEntity({
  name: 'MerchantJurisdiction',
  tableName: 'merchant_jurisdictions',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    code: p.text().primary(),
    displayName: p.text(),
    /** Decimal text, 0 to 1. */
    rate: p.text(),
    components: p.json().$type<{ code: string; rate: string }[]>(),
    updatedAt: p.bigint('number'),
  },
});

/** A merchant's own tax jurisdiction. It replaces the public one with the same code. */
export class MerchantJurisdiction extends MerchantJurisdictionSchema.class {}
MerchantJurisdictionSchema.setClass(MerchantJurisdiction);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    MerchantJurisdiction: TableOf<typeof MerchantJurisdictionSchema>;
  }
}
