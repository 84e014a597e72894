import { authRoutes } from './routes/auth.ts';
import { chargingRoutes } from './routes/charging.ts';
import { inventoryRoutes } from './routes/inventory.ts';
import { keyRoutes } from './routes/keys.ts';
import { merchantRoutes } from './routes/merchant.ts';
import { orderRoutes } from './routes/orders.ts';
import { receiptRoutes } from './routes/receipts.ts';
import type { Row } from './routes/route.ts';
import { connectRoutes, shopSystemRoutes } from './routes/shop-systems.ts';
import { splitRoutes } from './routes/split.ts';
import { statusRoutes } from './routes/status.ts';
import { subscriptionRoutes } from './routes/subscriptions.ts';
import { userRoutes } from './routes/users.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** One section of the API, under its name in the document. */
export interface Part {
  readonly tag: string;
  readonly about: string;
  readonly routes: readonly Row[];
}

/** The sections, in the contract's order. */
export const parts: readonly Part[] = [
  { tag: 'Status', about: 'The service itself.', routes: statusRoutes },
  { tag: 'Inventory', about: 'What a merchant sells.', routes: inventoryRoutes },
  { tag: 'Orders', about: 'Carts that become receipts, with tax and fee.', routes: orderRoutes },
  {
    tag: 'Receipts',
    about: 'Receipts and their payment status, the terminal, refunds.',
    routes: [...receiptRoutes, ...shopSystemRoutes],
  },
  { tag: 'Merchant', about: 'Shop, site, pricing, billing, tax and reserve.', routes: merchantRoutes },
  { tag: 'Split', about: 'How payments are divided among recipients.', routes: splitRoutes },
  { tag: 'Users', about: 'Users, and who is live.', routes: userRoutes },
  { tag: 'GraphQL', about: 'The same resources in one schema, with live subscriptions.', routes: [] },
  {
    tag: 'Subscriptions',
    about: 'Recurring plans, charged by signed spend permissions.',
    routes: [...subscriptionRoutes, ...chargingRoutes],
  },
  { tag: 'Events', about: 'A merchant’s events, and the endpoints that receive them.', routes: webhookRoutes },
  { tag: 'Keys', about: 'The developer keys of a merchant.', routes: [...keyRoutes, ...connectRoutes] },
  { tag: 'Sessions', about: 'Signing in with a wallet.', routes: authRoutes },
];

/** Every REST route. */
export const routes: readonly Row[] = parts.flatMap((part) => part.routes);
