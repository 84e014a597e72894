import { inventoryQuery, itemBody, itemIdQuery } from '../bodies.ts';
import { DeleteInventoryItemDocument, InventoryDocument, SaveInventoryItemDocument } from '../generated/graphql.ts';
import { type Route, route, scope } from '../route.ts';

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
