import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import { ITEM_COLUMNS, type Item, type ItemRecord } from './item.entity.ts';
import { forNewItem, type ItemInput, pricingOf } from './item.input.ts';
import { pictureDigest } from './pictures.ts';

type WriteItemDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Creates the item of a sku, or changes the given fields of an existing one. Repeating the call changes nothing more. A
 * price replaces the previous one, native or not; amount and currency of a native price may change alone. Refuses
 * a new item without a name or a price with `invalid_input`, and with `forbidden` if the wallet is not the merchant's.
 */
export async function saveItem(deps: WriteItemDeps, merchant: Wallet, given: ItemInput): Promise<ItemRecord> {
  requireOwnWallet(merchant, given.wallet);
  return deps.db.transaction(async (uow) => {
    // Locks the merchant's row, which serializes concurrent calls for the same sku.
    await raiseVersion(deps, uow, merchant);
    const known = await readItems(uow, merchant, [given.sku]);
    const item = putItem(merchant, known.get(given.sku) ?? null, given, deps.clock());
    await storeItems(uow, known, [item]);
    return item;
  });
}

/** The items of these SKUs, by SKU. The lock of the merchant keeps them from changing, but for their stock. */
export async function readItems(
  uow: UnitOfWork,
  merchant: Wallet,
  skus: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const items = await uow.db
    .selectFrom('Item')
    .select(ITEM_COLUMNS)
    .where('merchant', '=', merchant)
    .where('sku', 'in', skus)
    .execute();
  return new Map(items.map((item) => [item.sku, item]));
}

/** Stores items: a new one as a whole, and of one that was known what has changed. */
export async function storeItems(
  uow: UnitOfWork,
  known: ReadonlyMap<string, Item>,
  items: readonly Item[],
): Promise<void> {
  const added = items.filter(({ sku }) => !known.has(sku));
  if (added.length > 0) await uow.db.insertInto('Item').values(added.map(stored)).execute();
  for (const item of items) {
    const before = known.get(item.sku);
    if (!before) continue;
    // Stock in particular must not be written back: it may be sold at the same time.
    const changed = ITEM_COLUMNS.filter((column) => item[column] !== before[column]);
    if (changed.length === 0) continue;
    const values = Object.entries(stored(item)).filter(([column]) => changed.includes(column as keyof Item));
    await uow.db
      .updateTable('Item')
      .set(Object.fromEntries(values))
      .where('merchant', '=', item.merchant)
      .where('id', '=', item.id)
      .execute();
  }
}

const stored = (item: Item) => ({ ...item, images: jsonb(item.images) });

/** The item as a request leaves it: a known one with the given fields, or a new one. Refuses like `saveItem`. */
export const putItem = (merchant: Wallet, known: Item | null, given: ItemInput, now: number): Item =>
  known ? changed(known, given, now) : created(merchant, given, now);

function created(merchant: Wallet, input: ItemInput, now: number): Item {
  const { wallet: _, pricing, ...given } = forNewItem(input);
  return {
    merchant,
    id: newId('item', now),
    sku: given.sku,
    name: given.name,
    ...pricing,
    stockQty: given.stockQty ?? -1,
    held: 0,
    taxable: given.taxable ?? false,
    category: given.category ?? null,
    description: given.description ?? null,
    tags: given.tags ?? [],
    images: given.images ?? [],
    thumb: given.thumb ?? null,
    thumbDigest: pictureDigest(given.thumb),
    attributes: given.attributes ?? null,
    costUsdCents: given.costUsdCents ?? null,
    jurisdictionCode: given.jurisdictionCode ?? null,
    createdAt: now,
    updatedAt: now,
  };
}

function changed(item: Item, input: ItemInput, now: number): Item {
  const { wallet: _wallet, sku: _sku, price: _price, ...given } = input;
  const sent = Object.entries({ ...given, ...pricingOf(input, item) }).filter(([, value]) => value !== undefined);
  const picture = input.thumb === undefined ? {} : { thumbDigest: pictureDigest(input.thumb) };
  return { ...item, ...Object.fromEntries(sent), ...picture, updatedAt: now };
}

/** Deletes an item from the catalog. Receipts that contain it do not change. Refuses an unknown id with `not_found`. */
export async function deleteItem(deps: WriteItemDeps, merchant: Wallet, id: string): Promise<void> {
  await deps.db.transaction(async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const deleted = await uow.db
      .deleteFrom('Item')
      .where((eb) => eb.and({ merchant, id }))
      .returning('id')
      .execute();
    if (deleted.length === 0) throw refuse('not_found', 'Product not found');
  });
}
