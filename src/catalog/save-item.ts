import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import { storePictures } from '../images/store.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { Item } from './item.entity.ts';
import { forNewItem, type ItemInput, itemInput, pricingOf } from './item.input.ts';
import type { ItemRecord } from './item-record.ts';

/**
 * Makes the item of a sku, or changes those of its parts that are given: the same call again changes nothing more. A price replaces the one that was,
 * native or not; of a native one, amount and currency may change alone. A thumb that is a data URI is stored as an image too. Refuses with `invalid_input`, also a new item without a name or a price, and with `forbidden` a wallet that is not the merchant's.
 */
export async function saveItem(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock'>,
  merchant: Wallet,
  input: unknown,
): Promise<ItemRecord> {
  const given = parseInput(itemInput, input);
  requireOwnWallet(merchant, given.wallet);
  if (given.thumb) await storePictures(deps, [given.thumb]);
  return inTransaction(deps, async (uow) => {
    // Locks the merchant's row, so that two that make the same sku at once come one after the other.
    await raiseVersion(deps, uow, merchant);
    const known = await uow.em.findOne(Item, { merchant, sku: given.sku });
    const item = known ? change(known, given, deps.clock()) : create(uow, merchant, given, deps.clock());
    await uow.em.flush();
    return item;
  });
}

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
    attributes: given.attributes ?? null,
    costUsdCents: given.costUsdCents ?? null,
    jurisdictionCode: given.jurisdictionCode ?? null,
    createdAt: now,
    updatedAt: now,
  });
  uow.em.persist(item);
  return item;
}

/** Sets what was given and leaves the rest, the stock above all: it may be sold down at this very moment. */
function change(item: Item, input: ItemInput, now: number): Item {
  const { wallet: _wallet, sku: _sku, price: _price, ...given } = input;
  const sent = Object.entries({ ...given, ...pricingOf(input, item) }).filter(([, value]) => value !== undefined);
  return Object.assign(item, Object.fromEntries(sent), { updatedAt: now });
}
