/** Example bodies, by operationId. */
export const EXAMPLES: Readonly<Record<string, object>> = {
  saveInventoryItem: { sku: 'MUG-STONE', name: 'Stoneware mug', priceUsd: 24, stockQty: 120, taxable: true },
  createOrder: {
    items: [{ sku: 'MUG-STONE', qty: 2 }],
    jurisdictionCode: 'US-CA',
    buyerEmail: 'ada@shop.test',
    transactionId: 'cart-1042',
    webhookUrl: 'https://shop.test/hooks/quittance',
  },
  createReceipt: {
    id: 'invoice-2026-17',
    currency: 'EUR',
    lineItems: [
      { label: 'Workshop, two days', amount: 1800 },
      { label: 'Early booking', amount: -180 },
    ],
    total: 1620,
  },
  createTerminalReceipt: { amountUsd: 12.5, label: 'Lunch', jurisdictionCode: 'US-CA' },
  reportTracking: { receiptId: 'R-01kamxyzw2qj8n4v6t0r5s3d1c', status: 'link_opened' },
  updateShopConfig: { name: 'Stone & Steam', processingFeePct: 1.5, theme: { primaryColor: '#0e5c4a' } },
  deploySplit: {
    recipients: [
      { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', sharesBps: 6950 },
      { address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc', sharesBps: 3000 },
    ],
  },
};
