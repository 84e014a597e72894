import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { DEFAULT_SHOP, type ShopConfig } from './shop.ts';

/** A shop's configuration with its timestamps, in epoch ms. */
export interface ShopRecord extends ShopConfig {
  readonly createdAt: number;
  readonly updatedAt: number;
}

const READ = statement('read-shop', 'select shop, created_at as "createdAt" from merchants where wallet = $1');

/** A merchant's shop. Refuses with `not_found` if there is no such merchant. */
export async function readShop({ sql }: Pick<Deps, 'sql'>, merchant: Wallet): Promise<ShopRecord> {
  const [row] = await sql.rows<{ shop: Partial<ShopConfig>; createdAt: number }>(READ, [merchant]);
  if (!row) throw refuse('not_found', 'No merchant is registered under this wallet');
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
