import { builder } from '../../../base/graphql/builder.ts';

/** Names an item of the catalog. */
export const ItemChoice = builder.inputType('InventoryItemBy', {
  description: 'An item of the catalog, by its id or by its SKU.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'The id assigned by the server.' }),
    sku: t.string({ description: "The merchant's own identifier." }),
  }),
});
