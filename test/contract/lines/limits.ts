import type { ContractSection } from './section.ts';

export const limits: ContractSection = {
  name: 'limits',
  title: 'Limits',
  lines: {
    rate: 'Requests are counted by the key’s merchant and by wallet; over the limit 429 on every route, with `resetAt`',
    headers: '`X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset` if limits are on',
    receipts: '`GET /api/receipts` `limit`: 1 to 200, default 100',
    search: '`GET /api/users/search`: `limit` 1…100 (25), `scan` limit…1000 (400), `minXp` and `maxXp` at least 0',
    qty: '`qty` of an order’s item: at least 1',
    'tax-rate': '`taxRate`: 0 to 1',
    stock: '`stockQty`: at least -1',
    shares: 'Shares: basis points, 10000 in total',
    native: 'Native amounts: finite, at most two decimals',
    fee: 'Processing fee: 0.5 % plus the merchant’s add-on',
    charge: 'Platform fee of a subscription’s charge: 0.5 %',
    presence: 'Live: a heartbeat within the last 2 minutes',
    webhook: 'Webhooks: 2xx within 5 seconds, one retry 5 seconds later',
  },
};
