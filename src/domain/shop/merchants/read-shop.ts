import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { merchantNotFound } from './find.ts';
import { DEFAULT_SHOP, type ShopConfig } from './shop.ts';

/** A shop's configuration with its timestamps, in epoch ms. */
export interface ShopRecord extends ShopConfig {
  readonly createdAt: number;
  readonly updatedAt: number;
}

const READ = query('read-shop', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Merchant').select(['shop', 'createdAt']).where('wallet', '=', $.merchant),
);

const HOLDS = query('shop-holds-stock', (db, $: { merchant: Wallet }) =>
  db
    .selectFrom('Merchant')
    .select('wallet')
    .where('wallet', '=', $.merchant)
    .where((eb) => sql<boolean>`(${eb.ref('shop')} ->> 'holdStock')::bool`),
);

/** Whether the orders of a merchant hold the stock of their items. */
export async function holdsStock(reader: Pick<Db, 'run'>, merchant: Wallet): Promise<boolean> {
  return (await reader.run(HOLDS, { merchant })).length > 0;
}

/** A merchant's shop. Refuses with `not_found` if there is no such merchant. */
export async function readShop(db: Db, merchant: Wallet): Promise<ShopRecord> {
  const [row] = await db.run(READ, { merchant });
  if (!row) throw merchantNotFound();
  return shopRecord(row.shop, row.createdAt);
}

/** The stored configuration, with defaults for missing fields. */
export function shopRecord(shop: Partial<ShopConfig>, createdAt: number): ShopRecord {
  return {
    ...DEFAULT_SHOP,
    ...shop,
    theme: { ...DEFAULT_SHOP.theme, ...shop.theme },
    createdAt,
    updatedAt: shop.updatedAt ?? createdAt,
  };
}
