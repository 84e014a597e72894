import { auth } from './lines/auth.ts';
import { conventions } from './lines/conventions.ts';
import { edge } from './lines/edge.ts';
import { errors } from './lines/errors.ts';
import { failures } from './lines/failures.ts';
import { graphql } from './lines/graphql.ts';
import { inventory } from './lines/inventory.ts';
import { limits } from './lines/limits.ts';
import { merchant } from './lines/merchant.ts';
import { money } from './lines/money.ts';
import { native } from './lines/native.ts';
import { orders } from './lines/orders.ts';
import { receipts } from './lines/receipts.ts';
import { refund } from './lines/refund.ts';
import { routes } from './lines/routes.ts';
import type { ContractSection } from './lines/section.ts';
import { service } from './lines/service.ts';
import { split } from './lines/split.ts';
import { states } from './lines/states.ts';
import { subscriptions } from './lines/subscriptions.ts';
import { terminal } from './lines/terminal.ts';
import { users } from './lines/users.ts';
import { webhooks } from './lines/webhooks.ts';

/**
 * The requirements of the API contract, in its order. A comment above a test, `// Contract: section.line`, names the
 * requirements that it proves. `npm run check` fails for a requirement without a test, and for an unknown name.
 */
export const contract: readonly ContractSection[] = [
  service,
  edge,
  conventions,
  inventory,
  orders,
  native,
  receipts,
  refund,
  terminal,
  split,
  merchant,
  money,
  states,
  routes,
  users,
  graphql,
  subscriptions,
  auth,
  webhooks,
  errors,
  failures,
  limits,
];
