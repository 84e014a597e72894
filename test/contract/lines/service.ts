import type { ContractSection } from './section.ts';

export const service: ContractSection = {
  name: 'service',
  title: 'What the service does',
  lines: {
    checkout: 'The whole flow works: catalog, order with tax and fee, portal page, payment, split, webhook',
    'portal-address': 'The buyer’s page is `{base_url}/portal/<receipt_id>`',
    'portal-shows': 'The page shows the itemized receipt, a QR code, a choice of currencies and how to pay',
    'split-first': 'Without a split, orders, receipts and terminal receipts are refused: 403 `split_required`',
    'split-shares': 'The split contract distributes a payment by basis points',
    'followed-by-polling': '`GET /api/receipts/status` reports the progress of a receipt',
    'followed-by-webhook': 'The signed webhook `receipt.status_updated` reports the progress of a receipt',
    'admin-only':
      'Only the admin, never a key, may write shop, split and pricing configuration, refunds, terminal receipts and sensitive statuses',
    onramp: 'Card checkout uses a provider; the redirect URL is passed to its session',
    'onramp-tabs': 'A provider whose page opens in its own tab gets no redirect URL',
  },
};
