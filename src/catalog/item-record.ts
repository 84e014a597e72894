import type { Wallet } from '../core/wallet.ts';

/** A product as read from the database. Money is in cents, times are epoch ms. */
export interface ItemRecord {
  readonly merchant: Wallet;
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  /** Null if the item has a native price. */
  readonly priceUsdCents?: number | null;
  readonly priceCents?: number | null;
  readonly currency?: 'USD' | 'EUR' | null;
  /** -1: unlimited. */
  readonly stockQty: number;
  readonly taxable: boolean;
  readonly category?: string | null;
  readonly description?: string | null;
  readonly tags: readonly string[];
  readonly images: readonly string[];
  readonly thumb?: string | null;
  readonly attributes?: Readonly<Record<string, unknown>> | null;
  readonly costUsdCents?: number | null;
  readonly jurisdictionCode?: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The columns of `inventory_items`, selected as an `ItemRecord`. */
export const ITEM_COLUMNS = `merchant, id, sku, name, price_usd_cents as "priceUsdCents", price_cents as "priceCents", currency,
  stock_qty as "stockQty", taxable, category, description, tags, images, thumb, attributes, cost_usd_cents as "costUsdCents",
  jurisdiction_code as "jurisdictionCode", created_at as "createdAt", updated_at as "updatedAt"`;
