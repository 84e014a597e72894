import type { Wallet } from '../core/wallet.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';

/** The number of items sold beyond the stock. */
export interface Oversold {
  readonly sku: string;
  readonly qty: number;
}

/**
 * Deducts sold items from the stock, never below 0. Items that are unlimited (-1) or no longer in the catalog do not
 * change. Returns the quantities sold beyond the stock, by sku.
 */
export async function takeStock(
  uow: UnitOfWork,
  merchant: Wallet,
  lines: readonly { readonly itemId?: string; readonly qty?: number }[],
): Promise<Oversold[]> {
  const sold = new Map<string, number>();
  for (const { itemId, qty = 1 } of lines) if (itemId) sold.set(itemId, (sold.get(itemId) ?? 0) + qty);
  if (sold.size === 0) return [];
  // Rows are locked in the order of their ids, so that two payments of the same items cannot deadlock.
  return uow.sql<Oversold>(
    `with s as materialized (
       select item.id, item.sku, item.stock_qty as had, sold.qty
         from inventory_items item
         join unnest($2::text[], $3::int[]) as sold(id, qty) on sold.id = item.id
        where item.merchant = $1 and item.stock_qty >= 0
        order by item.id
          for update of item
     ), taken as (
       update inventory_items i set stock_qty = greatest(0, i.stock_qty - s.qty) from s where i.merchant = $1 and i.id = s.id
     )
     select sku, qty - had as qty from s where qty > had order by sku`,
    [merchant, [...sold.keys()], [...sold.values()]],
  );
}

/**
 * Locks items until the transaction ends, so that stock which was checked is still available when it is deducted. Locks
 * in the same order as `takeStock`.
 */
export async function lockStock(uow: UnitOfWork, merchant: Wallet, itemIds: readonly string[]): Promise<void> {
  await uow.sql('select 1 from inventory_items where merchant = $1 and id = any($2) order by id for update', [
    merchant,
    itemIds,
  ]);
}
