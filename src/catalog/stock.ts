import { sql } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import { query, type RowOf } from '../platform/query.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';

interface Sold {
  readonly merchant: Wallet;
  readonly ids: readonly string[];
  readonly quantities: readonly number[];
}

/** Rows are locked in the order of their ids, so that two payments of the same items cannot deadlock. */
const TAKE = query(
  'take-stock',
  (db, $: Sold) =>
    db
      .with(
        (cte) => cte('taken').materialized(),
        (cte) =>
          cte
            .selectFrom('Item as i')
            .innerJoin(
              sql<{ id: string; qty: number }>`unnest(${$.ids}::text[], ${$.quantities}::int[])`.as<'sold'>(
                sql`sold(id, qty)`,
              ),
              (join) => join.onRef('sold.id', '=', 'i.id'),
            )
            .select(['i.id', 'i.sku', 'i.stockQty as had', 'sold.qty'])
            .where('i.merchant', '=', $.merchant)
            .where('i.stockQty', '>=', 0)
            .orderBy('i.id')
            .forUpdate('i'),
      )
      .with('changed', (cte) =>
        cte
          .updateTable('Item')
          .from('taken')
          .set((eb) => ({ stockQty: sql`greatest(0, ${eb.ref('Item.stockQty')} - ${eb.ref('taken.qty')})` }))
          .where('Item.merchant', '=', $.merchant)
          .whereRef('Item.id', '=', 'taken.id'),
      )
      .selectFrom('taken')
      .select((eb) => ['sku', eb('qty', '-', eb.ref('had')).as('qty')])
      .whereRef('qty', '>', 'had')
      .orderBy('sku'),
  { computed: { sku: 'text', qty: 'int4' } },
);

/** The number of items sold beyond the stock. */
export type Oversold = RowOf<typeof TAKE>;

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
  return uow.run(TAKE, { merchant, ids: [...sold.keys()], quantities: [...sold.values()] });
}

/**
 * Locks items until the transaction ends, so that stock which was checked is still available when it is deducted. Locks
 * in the same order as `takeStock`.
 */
export async function lockStock(uow: UnitOfWork, merchant: Wallet, itemIds: readonly string[]): Promise<void> {
  await uow.db
    .selectFrom('Item')
    .select('id')
    .where('merchant', '=', merchant)
    .where('id', '=', sql<string>`any(${itemIds}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}
