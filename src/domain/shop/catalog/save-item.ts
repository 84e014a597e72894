import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import { Item, type ItemRecord } from './item.entity.ts';
import { forNewItem, type ItemInput, pricingOf } from './item.input.ts';
import { pictureDigest } from './product-picture.ts';

/**
 * Creates the item of a sku, or changes the given fields of an existing one. Repeating the call changes nothing more. A
 * price replaces the previous one, native or not; amount and currency of a native price may change alone. Refuses
 * a new item without a name or a price with `invalid_input`, and with `forbidden` if the wallet is not the merchant's.
 */
export async function saveItem(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock'>,
  merchant: Wallet,
  given: ItemInput,
): Promise<ItemRecord> {
  requireOwnWallet(merchant, given.wallet);
  return inTransaction(deps, async (uow) => {
    // Locks the merchant's row, which serializes concurrent calls for the same sku.
    await raiseVersion(deps, uow, merchant);
    const known = await uow.em.findOne(Item, { merchant, sku: given.sku });
    const item = putItem(uow, merchant, known, given, deps.clock());
    await uow.em.flush();
    return item;
  });
}

/** Changes a known item, or creates one, within a unit of work that is flushed later. A refusal changes nothing. */
export const putItem = (uow: UnitOfWork, merchant: Wallet, known: Item | null, given: ItemInput, now: number): Item =>
  known ? change(known, given, now) : create(uow, merchant, given, now);

function create(uow: UnitOfWork, merchant: Wallet, input: ItemInput, now: number): Item {
  const { wallet: _, pricing, ...given } = forNewItem(input);
  const item = uow.em.create(Item, {
    merchant,
    id: newId('item', now),
    sku: given.sku,
    name: given.name,
    ...pricing,
    stockQty: given.stockQty ?? -1,
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
  });
  uow.em.persist(item);
  return item;
}

/** Sets the given fields only. Stock in particular must not be written back: it may be sold at the same time. */
function change(item: Item, input: ItemInput, now: number): Item {
  const { wallet: _wallet, sku: _sku, price: _price, ...given } = input;
  const sent = Object.entries({ ...given, ...pricingOf(input, item) }).filter(([, value]) => value !== undefined);
  const picture = input.thumb === undefined ? {} : { thumbDigest: pictureDigest(input.thumb) };
  return Object.assign(item, Object.fromEntries(sent), picture, { updatedAt: now });
}
