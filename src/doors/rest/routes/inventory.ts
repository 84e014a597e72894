import { z } from 'zod';
import { refuse } from '../../../base/core/errors.ts';
import { identifier } from '../../../base/core/text.ts';
import { itemInput } from '../../../domain/shop/catalog/item.input.ts';
import { itemQuery } from '../../../domain/shop/catalog/item-query.input.ts';
import type { InventoryItemInput, InventoryQueryVariables } from '../generated/graphql.ts';
import { DeleteInventoryItemDocument, InventoryDocument, SaveInventoryItemDocument } from '../generated/graphql.ts';
import { inUpperCase, pick, type Reader, readsBody, readsQuery } from './reader.ts';
import { type Route, route, scope } from './route.ts';

const ITEM_FIELDS = [
  'wallet',
  'sku',
  'name',
  'priceUsd',
  'price',
  'currency',
  'stockQty',
  'taxable',
  'category',
  'description',
  'tags',
  'images',
  'thumb',
  'attributes',
  'costUsd',
  'jurisdictionCode',
] as const satisfies readonly (keyof InventoryItemInput)[];

/** The body of `POST /api/inventory`. */
const itemBody = readsBody(itemInput, (_, { body }) => inUpperCase(pick<InventoryItemInput>(body, ITEM_FIELDS)));

/** The `id` of `DELETE /api/inventory`. */
const itemId = readsQuery(z.object({ id: identifier }), ({ id }) => id);
const itemIdQuery: Reader<string> = {
  ...itemId,
  read(request) {
    const { id, sku } = request.query;
    if (id !== undefined) return itemId.read(request);
    const hint = sku === undefined ? '' : ': sku is not accepted here';
    throw refuse('invalid_input', `id is required${hint}`, { field: 'id' });
  },
};

/** The query of `GET /api/inventory`. */
const inventoryQuery = readsQuery(
  itemQuery,
  ({ priceMinCents, priceMaxCents, taxable, stock, ...rest }) =>
    ({
      ...rest,
      taxable: taxable ?? null,
      stock: stock === 'any' ? null : (stock as InventoryQueryVariables['stock']),
      priceMin: priceMinCents === undefined ? null : priceMinCents / 100,
      priceMax: priceMaxCents === undefined ? null : priceMaxCents / 100,
    }) as InventoryQueryVariables,
);

/** The catalog. */
export const inventoryRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/inventory',
    access: scope('inventory:read'),
    summary: 'List products',
    query: inventoryQuery,
    refuses: [],
    operation: InventoryDocument,
    variables: ({ query }) => query,
    answer: ({ inventoryPage }) => ({ body: inventoryPage }),
  }),
  route({
    method: 'POST',
    path: '/api/inventory',
    access: scope('inventory:write'),
    summary: 'Create or update a product',
    detail: 'By its SKU.',
    body: itemBody,
    refuses: ['invalid_wallet', 'not_found'],
    operation: SaveInventoryItemDocument,
    variables: ({ body }) => ({ input: body }),
    answer: ({ saveInventoryItem }) => ({ body: { ok: true, item: saveInventoryItem } }),
  }),
  route({
    method: 'DELETE',
    path: '/api/inventory',
    access: scope('inventory:write'),
    summary: 'Delete a product',
    query: itemIdQuery,
    refuses: ['not_found'],
    operation: DeleteInventoryItemDocument,
    variables: ({ query }) => ({ id: query }),
    answer: () => ({ body: { ok: true } }),
  }),
];
