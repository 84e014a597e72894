import type { Wallet } from '../core/wallet.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';

/** Takes what was sold out of stock, never below 0; items without a limit (-1) or no longer in the catalog stay as they are. */
export async function takeStock(
  uow: UnitOfWork,
  merchant: Wallet,
  lines: readonly { readonly itemId?: string; readonly qty?: number }[],
): Promise<void> {
  const sold = new Map<string, number>();
  for (const { itemId, qty = 1 } of lines) if (itemId) sold.set(itemId, (sold.get(itemId) ?? 0) + qty);
  if (sold.size === 0) return;
  // Rows are locked in the order of their ids, so that two payments of the same items never wait for each other in a circle.
  await uow.sql(
    `update inventory_items i set stock_qty = greatest(0, i.stock_qty - s.qty)
       from (select item.id, sold.qty
               from inventory_items item
               join unnest($2::text[], $3::int[]) as sold(id, qty) on sold.id = item.id
              where item.merchant = $1 and item.stock_qty >= 0
              order by item.id
                for update of item) s
      where i.merchant = $1 and i.id = s.id`,
    [merchant, [...sold.keys()], [...sold.values()]],
  );
}
