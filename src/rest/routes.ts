import type { RetiredRoute, Route } from './route.ts';
import { authRoutes } from './routes/auth.ts';
import { inventoryRoutes } from './routes/inventory.ts';
import { merchantRoutes } from './routes/merchant.ts';
import { orderRoutes } from './routes/orders.ts';
import { receiptRoutes } from './routes/receipts.ts';
import { splitRoutes } from './routes/split.ts';
import { statusRoutes } from './routes/status.ts';
import { subscriptionRoutes } from './routes/subscriptions.ts';

/** Every REST route, in the contract's order. */
export const routes: readonly (Route | RetiredRoute)[] = [
  ...statusRoutes,
  ...inventoryRoutes,
  ...orderRoutes,
  ...receiptRoutes,
  ...merchantRoutes,
  ...splitRoutes,
  ...subscriptionRoutes,
  ...authRoutes,
];
