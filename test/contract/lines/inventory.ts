import type { ContractSection } from './section.ts';

export const inventory: ContractSection = {
  name: 'inventory',
  title: 'Inventory',
  lines: {
    sku: '`sku`: unique within the merchant',
    id: '`id`: the item’s own id; order items accept it instead of the sku',
    name: '`name`: required to create an item',
    'price-usd': '`priceUsd`: a number, not negative',
    price: '`price` with `currency`: the native price',
    currency: '`currency`: `USD` or `EUR`',
    'stock-qty': '`stockQty`: a whole number, at least -1',
    taxable: '`taxable`: true is taxed, false is exempt',
    list: '`GET /api/inventory`, scope `inventory:read`: the products, with filters and pages',
    save: '`POST /api/inventory`, scope `inventory:write`: sku, name, priceUsd, stockQty, taxable',
    'save-native': '`POST /api/inventory`: the native variant with price and currency',
    'save-idempotent': '`POST /api/inventory` creates or updates by sku',
    'save-x-api-key': '`POST /api/inventory` accepts the key in `x-api-key`',
    'save-invalid': '`POST /api/inventory`, invalid body: 400 `invalid_input`',
    delete: '`DELETE /api/inventory?id=<item_id>` deletes a product',
  },
};
