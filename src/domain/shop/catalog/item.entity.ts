import { defineEntity, p } from '@mikro-orm/core';
import type { Currency } from '../../../base/core/amount.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { columnsOf, type TableOf } from '../../../base/platform/postgres/database.ts';

const ItemSchema = defineEntity({
  name: 'Item',
  tableName: 'inventory_items',
  uniques: [{ properties: ['merchant', 'sku'] }],
  indexes: [
    { properties: ['merchant', 'updatedAt', 'id'] },
    {
      name: 'inventory_items_by_letters',
      expression:
        'create index inventory_items_by_letters on inventory_items (merchant, (lower(name) collate "und-x-icu"), id)',
    },
    {
      name: 'inventory_items_by_price',
      expression:
        'create index inventory_items_by_price on inventory_items (merchant, coalesce(price_usd_cents, price_cents), id)',
    },
    {
      name: 'inventory_items_by_picture',
      expression:
        'create index inventory_items_by_picture on inventory_items (thumb_digest) where thumb_digest is not null',
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    sku: p.text(),
    name: p.text(),
    /** Null if the item has a native price. */
    priceUsdCents: p.bigint('number').nullable(),
    priceCents: p.bigint('number').nullable(),
    currency: p.text().$type<Currency>().nullable(),
    /** -1: unlimited. */
    stockQty: p.integer().default(-1),
    /** What unpaid receipts hold of it: the sum over the receipts with `stockHeld`, of limited stock or not. */
    held: p.integer().default(0),
    taxable: p.boolean().default(false),
    category: p.text().nullable(),
    description: p.text().nullable(),
    tags: p.array().$type<string[]>().columnType('text[]'),
    images: p.json().$type<string[]>(),
    thumb: p.text().nullable(),
    /** The SHA-256 of the picture, lower-case hex, by which it is served; null unless `thumb` is a data URI. */
    thumbDigest: p.text().nullable(),
    attributes: p.json().$type<Record<string, unknown>>().nullable(),
    costUsdCents: p.bigint('number').nullable(),
    jurisdictionCode: p.text().nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** A product of a merchant's catalog. */
export class Item extends ItemSchema.class {}
ItemSchema.setClass(Item);

/** A product as read from the database. Money is in cents, times are epoch ms. */
export type ItemRecord = Readonly<Item>;

export const ITEM_COLUMNS = columnsOf(ItemSchema);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Item: TableOf<typeof ItemSchema>;
  }
}
