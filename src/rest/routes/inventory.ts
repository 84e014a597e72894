import { inventoryQuery, itemBody, itemId } from '../bodies.ts';
import { DeleteInventoryItemDocument, InventoryDocument, SaveInventoryItemDocument } from '../generated/graphql.ts';
import { type Route, route, scope } from '../route.ts';

/** The catalog. */
export const inventoryRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/inventory',
    access: scope('inventory:read'),
    rate: 'reads',
    summary: 'Lists products',
    operation: InventoryDocument,
    variables: ({ query }) => inventoryQuery(query),
    answer: ({ inventory }) => ({ body: inventory }),
  }),
  route({
    method: 'POST',
    path: '/api/inventory',
    access: scope('inventory:write'),
    rate: 'inventoryWrites',
    summary: 'Creates or updates a product, by SKU',
    operation: SaveInventoryItemDocument,
    variables: ({ body }) => ({ input: itemBody(body) }),
    answer: ({ saveInventoryItem }) => ({ body: { ok: true, item: saveInventoryItem } }),
  }),
  route({
    method: 'DELETE',
    path: '/api/inventory',
    access: scope('inventory:write'),
    rate: 'inventoryDeletes',
    summary: 'Deletes a product',
    operation: DeleteInventoryItemDocument,
    variables: ({ query }) => ({ id: itemId(query) }),
    answer: () => ({ body: { ok: true } }),
  }),
];
