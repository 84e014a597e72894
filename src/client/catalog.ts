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

/** A plan for recurring payments. */
export type Plan = components['schemas']['Plan'];

const PLANS = '/api/subscriptions/plans';

/** The merchant's plans. A key reads them; an admin's session also writes them. */
export function createPlans({ send }: Requester) {
  const planOf = async (answer: Promise<Answer<'updatePlan'>>): Promise<Plan> => (await answer).plan;
  return {
    /** The active plans of a merchant, the oldest first. */
    list: async (merchant: string, call: CallOptions = {}): Promise<Plan[]> =>
      (await send<Answer<'plans'>>({ method: 'GET', path: PLANS, query: { wallet: merchant }, safe: true, ...call }))
        .plans,

    create: (body: Body<'createPlan'>, call: CallOptions = {}): Promise<Plan> =>
      planOf(send({ method: 'POST', path: PLANS, body, safe: false, ...call })),

    /** Changes the given fields. Existing subscriptions keep their price and period. */
    update: (planId: string, changes: Omit<Body<'updatePlan'>, 'planId'>, call: CallOptions = {}): Promise<Plan> =>
      planOf(send({ method: 'PUT', path: PLANS, body: { ...changes, planId }, safe: true, ...call })),

    /** Takes no new subscriptions from now on. Existing ones continue. */
    deactivate: (planId: string, call: CallOptions = {}): Promise<Plan> =>
      planOf(send({ method: 'DELETE', path: PLANS, body: { planId }, safe: true, ...call })),
  };
}
