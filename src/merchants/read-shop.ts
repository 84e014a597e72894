import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { DEFAULT_SHOP, type ShopConfig } from './shop.ts';

/** A shop's configuration with its moments, in epoch ms. */
export interface ShopRecord extends ShopConfig {
  readonly createdAt: number;
  readonly updatedAt: number;
}

const READ = statement('read-shop', 'select shop, created_at as "createdAt" from merchants where wallet = $1');

/** A merchant's shop. Refuses with `not_found` a wallet that is no merchant's. */
export async function readShop({ sql }: Pick<Deps, 'sql'>, merchant: Wallet): Promise<ShopRecord> {
  const [row] = await sql.rows<{ shop: Partial<ShopConfig>; createdAt: number }>(READ, [merchant]);
  if (!row) throw refuse('not_found', 'No merchant is registered under this wallet');
  return shopRecord(row.shop, row.createdAt);
}

/** What is stored, with the defaults of fields that came later. */
export function shopRecord(shop: Partial<ShopConfig>, createdAt: number): ShopRecord {
  return {
    ...DEFAULT_SHOP,
    ...shop,
    theme: { ...DEFAULT_SHOP.theme, ...shop.theme },
    createdAt,
    updatedAt: shop.updatedAt ?? createdAt,
  };
}
