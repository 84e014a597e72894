import type { components } from './generated/api.d.ts';
import type { CallOptions, Requester } from './request.ts';
import type { Answer, Body, Query } from './routes.ts';

/** An item of the catalog. */
export type Item = components['schemas']['Item'];

/** The fields of an item. */
export type ItemFields = Omit<Body<'saveInventoryItem'>, 'wallet'>;

/** Which items to list, and in which order. */
export type ItemFilter = Omit<Query<'inventory'>, 'page' | 'limit'>;

const PAGE = 200;

/** The catalog of the merchant. */
export function createCatalog(requester: Requester) {
  const save = async (body: ItemFields, call: CallOptions): Promise<Item> => {
    const request = { method: 'POST', path: '/api/inventory', body, safe: true, ...call } as const;
    return (await requester.send<Answer<'saveInventoryItem'>>(request)).item;
  };
  return {
    /**
     * All items that match, by SKU unless `sort` says otherwise. Pages are read as the reader proceeds. An item that is
     * created or deleted meanwhile may be missing.
     */
    async *list(filter: ItemFilter = {}, call: CallOptions = {}): AsyncGenerator<Item, void, undefined> {
      const seen = new Set<string>();
      for (let page = 0; ; page++) {
        const query = { sort: 'sku', order: 'asc', ...filter, limit: PAGE, page };
        const request = { method: 'GET', path: '/api/inventory', query, safe: true, ...call } as const;
        const { items } = await requester.send<Answer<'inventory'>>(request);
        for (const item of items) {
          if (!seen.has(item.id)) yield item;
          seen.add(item.id);
        }
        if (items.length < PAGE) return;
      }
    },

    /** Creates an item. One with this SKU is changed instead. */
    create: (item: ItemFields & { readonly name: string }, call: CallOptions = {}): Promise<Item> => save(item, call),

    /** Changes the given fields of the item with this SKU. */
    update: (sku: string, changes: Omit<ItemFields, 'sku'>, call: CallOptions = {}): Promise<Item> =>
      save({ ...changes, sku }, call),

    /** Deletes an item by its id. */
    async delete(id: string, call: CallOptions = {}): Promise<void> {
      await requester.send({ method: 'DELETE', path: '/api/inventory', query: { id }, safe: true, ...call });
    },
  };
}
