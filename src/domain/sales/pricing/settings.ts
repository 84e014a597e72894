import type { LRUCache } from 'lru-cache';
import { boundedCache } from '../../../base/core/caches.ts';
import { refuse } from '../../../base/core/errors.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { onVersionRaised } from '../../shop/merchants/version.ts';
import {
  type ItemRef,
  type MerchantSettings,
  type PricedItem,
  readPricedCatalog,
  readPricedItems,
  readSettings,
} from './read-settings.ts';

type SettingsDeps = Pick<Deps, 'db' | 'settings'>;

const MAX_MERCHANTS = 2_000;
const MAX_ITEMS = 20_000;
/** The limit of the item cache, in characters; pictures take nearly all of it. */
const MAX_ITEMS_SIZE = 64 * 1024 * 1024;
const ITEM_SIZE = 512;
const ATTEMPTS = 5;

interface Cache {
  readonly settings: LRUCache<Wallet, MerchantSettings>;
  /** Stale settings. They price orders if the database becomes unavailable before newer ones were read. */
  readonly earlier: LRUCache<Wallet, MerchantSettings>;
  /** By merchant, version, and id or sku. Entries of older versions are never read again and are evicted in time. */
  readonly items: LRUCache<string, PricedItem>;
  readonly loading: Map<Wallet, Promise<MerchantSettings>>;
}

/** One cache per database, for the life of its connections. */
const cacheOf = keptBy('prices and items of merchants', (db: Db): Cache => {
  // Other processes notice a new version when they book an order; this one must not use the old one again.
  onVersionRaised(db, (merchant) => invalidateSettings(db, merchant));
  return {
    settings: boundedCache({ max: MAX_MERCHANTS }),
    earlier: boundedCache({ max: MAX_MERCHANTS }),
    items: boundedCache({
      max: MAX_ITEMS,
      maxSize: MAX_ITEMS_SIZE,
      sizeOf: ({ thumb }) => ITEM_SIZE + (thumb?.length ?? 0),
    }),
    loading: new Map(),
  };
});

/**
 * A merchant's settings, cached. They may be older than the database's: book an order only if `version` is still
 * current, else call `replaceSettings` and start again. Refuses with `not_found` if there is no such merchant.
 */
export async function merchantSettings(deps: SettingsDeps, merchant: Wallet): Promise<MerchantSettings> {
  const cache = cacheOf(deps.db);
  const kept = cache.settings.get(merchant);
  if (kept) return kept;
  // Concurrent requests share one read.
  const loading = cache.loading.get(merchant);
  if (loading) return loading;
  const load = readSettings(deps.db, merchant, deps.settings.chainId)
    .then((settings) => {
      if (cache.loading.get(merchant) === load) cache.settings.set(merchant, settings);
      return settings;
    })
    .finally(() => {
      if (cache.loading.get(merchant) === load) cache.loading.delete(merchant);
    });
  cache.loading.set(merchant, load);
  return load;
}

/**
 * The settings and the items, all of one version, cached where possible. An item that does not exist is null. Refuses
 * with `not_found` if there is no such merchant.
 */
export async function settingsWithItems(
  deps: SettingsDeps,
  merchant: Wallet,
  refs: readonly ItemRef[],
): Promise<{ readonly settings: MerchantSettings; readonly items: readonly (PricedItem | null)[] }> {
  const { items: kept } = cacheOf(deps.db);
  for (let attempt = 1; ; attempt++) {
    const settings = await merchantSettings(deps, merchant);
    const prefix = prefixOf(settings);
    const found = refs.map((ref) => kept.get(keyOf(prefix, ref)) ?? null);
    const missing = refs.filter((_, i) => found[i] === null);
    if (missing.length === 0) return { settings, items: found };

    const read = await readPricedItems(deps.db, merchant, missing);
    if (read.version === settings.version) {
      keepItems(kept, prefix, read.items);
      const fresh = lookUp(read.items);
      return { settings, items: refs.map((ref, i) => found[i] ?? fresh(ref)) };
    }
    if (attempt >= ATTEMPTS) throw refuse('failed', 'The catalog changes too fast to be priced; try again');
    replaceSettings(deps.db, merchant);
  }
}

/**
 * The same from the cache only, of the newest version that has all items, for use while the database is unavailable.
 * Refuses with `datastore_unavailable` if an item is not cached, because it is unknown whether it exists.
 */
export function keptSettingsWithItems(
  db: Db,
  merchant: Wallet,
  refs: readonly ItemRef[],
): { readonly settings: MerchantSettings; readonly items: readonly PricedItem[] } {
  const cache = cacheOf(db);
  for (const settings of [cache.settings.get(merchant), cache.earlier.get(merchant)]) {
    if (!settings) continue;
    const prefix = prefixOf(settings);
    const items = refs.flatMap((ref) => cache.items.get(keyOf(prefix, ref)) ?? []);
    if (items.length === refs.length) return { settings, items };
  }
  throw refuse('datastore_unavailable');
}

function keepItems(kept: Cache['items'], prefix: string, items: readonly PricedItem[]): void {
  for (const item of items) {
    kept.set(keyOf(prefix, { id: item.id }), item);
    kept.set(keyOf(prefix, { sku: item.sku }), item);
  }
}

const prefixOf = ({ wallet, version }: MerchantSettings) => `${wallet} ${version}`;
const keyOf = (prefix: string, { id, sku }: ItemRef) => (id != null ? `${prefix} id ${id}` : `${prefix} sku ${sku}`);

/**
 * The same, read within a transaction that locks the version until its end; used when the cached settings were stale.
 * Other orders are not blocked; writes to the merchant's catalog, shop, tax and split are. The result is cached for the
 * next orders, and for use while the database is unavailable.
 */
export async function lockSettingsWithItems(
  deps: SettingsDeps,
  uow: UnitOfWork,
  merchant: Wallet,
  refs: readonly ItemRef[],
): Promise<{ readonly settings: MerchantSettings; readonly items: readonly (PricedItem | null)[] }> {
  await uow.db.selectFrom('Merchant').select('version').where('wallet', '=', merchant).forShare().execute();
  const settings = await readSettings(uow, merchant, deps.settings.chainId);
  const { items } = await readPricedItems(uow, merchant, refs);
  const cache = cacheOf(deps.db);
  if (settings.version >= (cache.settings.peek(merchant)?.version ?? 0)) cache.settings.set(merchant, settings);
  keepItems(cache.items, prefixOf(settings), items);
  return { settings, items: refs.map(lookUp(items)) };
}

/**
 * Reads a merchant's settings and its first items into the cache, for use while the database is unavailable. Returns
 * the number of items; null if a write came between.
 */
export async function keepSettings(
  deps: SettingsDeps,
  merchant: Wallet,
  limit: number,
): Promise<{ readonly version: number; readonly items: number } | null> {
  const settings = await merchantSettings(deps, merchant);
  const { version, items } = await readPricedCatalog(deps.db, merchant, limit);
  if (version !== settings.version) {
    replaceSettings(deps.db, merchant);
    return null;
  }
  keepItems(cacheOf(deps.db).items, prefixOf(settings), items);
  return { version, items: items.length };
}

/** Finds items of a list by reference. */
function lookUp(items: readonly PricedItem[]): (ref: ItemRef) => PricedItem | null {
  const byId = new Map(items.map((item) => [item.id, item]));
  const bySku = new Map(items.map((item) => [item.sku, item]));
  return ({ id, sku }) => (id != null ? byId.get(id) : sku != null ? bySku.get(sku) : null) ?? null;
}

/**
 * Removes a merchant's settings from the cache, so that the next request reads them again. Results of running reads are
 * discarded.
 */
export function invalidateSettings(db: Db, merchant: Wallet): void {
  const cache = cacheOf(db);
  cache.settings.delete(merchant);
  cache.earlier.delete(merchant);
  cache.loading.delete(merchant);
}

/**
 * The same for settings that another process has replaced. The next request reads them again; `keptSettingsWithItems`
 * continues with the stale ones if the database becomes unavailable before that.
 */
export function replaceSettings(db: Db, merchant: Wallet): void {
  const cache = cacheOf(db);
  const old = cache.settings.get(merchant);
  if (old) cache.earlier.set(merchant, old);
  cache.settings.delete(merchant);
  cache.loading.delete(merchant);
}
