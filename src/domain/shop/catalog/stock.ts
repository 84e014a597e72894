import { type QueryCreator, sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { LOW_STOCK } from './item-filter.ts';

interface Sold {
  readonly merchant: Wallet;
  readonly ids: readonly string[];
  readonly quantities: readonly number[];
}

/** A line of a receipt, as far as stock is concerned. */
interface Line {
  readonly itemId?: string;
  readonly qty?: number;
}

/**
 * The items of the lines, locked in the order of their ids, so that two payments of the same items cannot deadlock.
 */
const lockedItems = (db: QueryCreator<Database>, $: Sold) =>
  db
    .selectFrom('Item as i')
    .innerJoin(
      sql<{ id: string; qty: number }>`unnest(${$.ids}::text[], ${$.quantities}::int[])`.as<'sold'>(sql`sold(id, qty)`),
      (join) => join.onRef('sold.id', '=', 'i.id'),
    )
    .select(['i.id', 'i.sku', 'i.stockQty as stock', 'i.held', 'sold.qty'])
    .where('i.merchant', '=', $.merchant)
    .orderBy('i.id')
    .forUpdate('i');

/**
 * Takes what the receipt holds, else what no receipt holds. `had` is the number that may be taken. Held quantities are
 * also counted for items that are unlimited, so that the switch to a limited stock finds them.
 */
const TAKE = query(
  'take-stock',
  (db, $: Sold & { held: boolean }) =>
    db
      .with(
        (cte) => cte('locked').materialized(),
        (cte) => lockedItems(cte, $),
      )
      .with('taken', (cte) =>
        cte
          .selectFrom('locked')
          .select(['id', 'sku', 'stock', 'qty'])
          .select((eb) =>
            sql<number>`case when ${$.held}::bool then ${eb.ref('stock')}
              else greatest(0, ${eb.ref('stock')} - ${eb.ref('held')}) end`.as('had'),
          )
          .where((eb) => eb.or([eb('stock', '>=', 0), sql<boolean>`${$.held}::bool`])),
      )
      .with('changed', (cte) =>
        cte
          .updateTable('Item')
          .from('taken')
          .set((eb) => ({
            stockQty: sql`case when ${eb.ref('taken.stock')} < 0 then ${eb.ref('taken.stock')}
              else ${eb.ref('taken.stock')} - least(${eb.ref('taken.qty')}, ${eb.ref('taken.had')}) end`,
            held: sql`${eb.ref('Item.held')} - case when ${$.held}::bool then ${eb.ref('taken.qty')} else 0 end`,
          }))
          .where('Item.merchant', '=', $.merchant)
          .whereRef('Item.id', '=', 'taken.id'),
      )
      .selectFrom('taken')
      .select((eb) => ['sku', eb('qty', '-', eb.ref('had')).as('qty')])
      .where('stock', '>=', 0)
      .whereRef('qty', '>', 'had')
      .orderBy('sku'),
  { computed: { sku: 'text', qty: 'int4' } },
);

/** The number of items sold beyond the stock. */
export type Oversold = RowOf<typeof TAKE>;

/** The items and quantities of the lines; null if no line refers to the catalog. */
function soldOf(merchant: Wallet, lines: readonly Line[]): Sold | null {
  const sold = new Map<string, number>();
  for (const { itemId, qty = 1 } of lines) if (itemId) sold.set(itemId, (sold.get(itemId) ?? 0) + qty);
  return sold.size === 0 ? null : { merchant, ids: [...sold.keys()], quantities: [...sold.values()] };
}

/**
 * Deducts sold items from the stock, never below 0. Items that are unlimited (-1) or no longer in the catalog do not
 * change. Returns the quantities sold beyond the stock, by sku.
 *
 * @param held whether the lines are held (`holdStock`): then the hold is converted. Otherwise nothing that receipts
 * hold is taken.
 */
export async function takeStock(
  uow: UnitOfWork,
  merchant: Wallet,
  lines: readonly Line[],
  held = false,
): Promise<Oversold[]> {
  const sold = soldOf(merchant, lines);
  return sold === null ? [] : uow.run(TAKE, { ...sold, held });
}

const NEARLY_SOLD_OUT = query(
  'items-nearly-sold-out',
  (_db, $: Sold) => sql<{ id: string }>`
    select i.id from inventory_items i
      join unnest(${$.ids}::text[], ${$.quantities}::int[]) as sold(id, qty) on sold.id = i.id
     where i.merchant = ${$.merchant} and i.stock_qty between 0 and ${sql.lit(LOW_STOCK)}
       and i.stock_qty + sold.qty > ${sql.lit(LOW_STOCK)} limit 1`,
  { computed: { id: 'text' } },
);

/** Whether the sale of these lines, which was taken from the stock, has left little of an item that had enough. */
export async function leavesLittle(uow: UnitOfWork, merchant: Wallet, lines: readonly Line[]): Promise<boolean> {
  const sold = soldOf(merchant, lines);
  return sold !== null && (await uow.run(NEARLY_SOLD_OUT, sold)).length > 0;
}

/** Holds all items or none. */
const HOLD = query(
  'hold-stock',
  (db, $: Sold) =>
    db
      .with(
        (cte) => cte('locked').materialized(),
        (cte) => lockedItems(cte, $),
      )
      .with('short', (cte) =>
        cte
          .selectFrom('locked')
          .select(['sku', sql<number>`greatest(0, stock - held)`.as('left')])
          .where('stock', '>=', 0)
          .where((eb) => eb(eb('stock', '-', eb.ref('held')), '<', eb.ref('qty'))),
      )
      .with('changed', (cte) =>
        cte
          .updateTable('Item')
          .from('locked')
          .set((eb) => ({ held: eb('Item.held', '+', eb.ref('locked.qty')) }))
          .where('Item.merchant', '=', $.merchant)
          .whereRef('Item.id', '=', 'locked.id')
          .where((eb) => eb.not(eb.exists(eb.selectFrom('short').select('sku')))),
      )
      .selectFrom('short')
      .select(['sku', 'left'])
      .orderBy('sku'),
  { computed: { sku: 'text', left: 'int4' } },
);

/** An item of which there is not enough, and how many can be sold. */
export type Short = RowOf<typeof HOLD>;

/**
 * Holds the items of the lines, all or none. Returns the items of which there is not enough besides what other receipts
 * hold; empty if they are held. End a hold with `releaseStock` or `takeStock`, for the same lines.
 */
export async function holdStock(uow: UnitOfWork, merchant: Wallet, lines: readonly Line[]): Promise<Short[]> {
  const sold = soldOf(merchant, lines);
  return sold === null ? [] : uow.run(HOLD, sold);
}

const RELEASE = query('release-stock', (db, $: Sold) =>
  db
    .with(
      (cte) => cte('locked').materialized(),
      (cte) => lockedItems(cte, $),
    )
    .updateTable('Item')
    .from('locked')
    .set((eb) => ({ held: eb('Item.held', '-', eb.ref('locked.qty')) }))
    .where('Item.merchant', '=', $.merchant)
    .whereRef('Item.id', '=', 'locked.id'),
);

/** Ends the hold of lines that will not be paid. */
export async function releaseStock(uow: UnitOfWork, merchant: Wallet, lines: readonly Line[]): Promise<void> {
  const sold = soldOf(merchant, lines);
  if (sold !== null) await uow.run(RELEASE, sold);
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
