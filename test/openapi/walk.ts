import { createClient } from './client.ts';

/** What came of one sale. */
export interface Sale {
  readonly receiptId: string;
  readonly totalUsd: number;
  readonly status: string;
}

/** Stocks a product, sells two of it and asks how the payment stands: a shop's first hour with the API. */
export async function sellTwo(baseUrl: string, key: string): Promise<Sale> {
  const shop = createClient(baseUrl, key);

  const saved = await shop.post('/api/inventory', {
    body: { sku: 'TEA-50', name: 'Green tea, 50 g', priceUsd: 7.5, stockQty: 20, taxable: false },
  });
  if (saved.status !== 200) throw new Error(`${saved.body.error}: ${saved.body.message}`);

  const found = await shop.get('/api/inventory', { query: { q: 'green', limit: 10 } });
  if (found.status !== 200) throw new Error(found.body.message);
  const [tea] = found.body.items;
  if (!tea) throw new Error('The product is not in the catalog');

  const ordered = await shop.post('/api/orders', {
    headers: { 'Idempotency-Key': `cart-${tea.id}` },
    body: { items: [{ id: tea.id, qty: 2 }], buyerEmail: 'ada@shop.test', metadata: { cart: 17 } },
  });
  if (ordered.status === 429) throw new Error(`Come back at ${new Date(ordered.body.resetAt).toISOString()}`);
  if (ordered.status !== 200) throw new Error(`${ordered.body.error}: ${ordered.body.message}`);
  const { receiptId, totalUsd } = ordered.body.receipt;

  const asked = await shop.get('/api/receipts/status', { query: { receiptId } });
  if (asked.status !== 200) throw new Error(asked.body.message);
  return { receiptId, totalUsd, status: asked.body.status };
}
