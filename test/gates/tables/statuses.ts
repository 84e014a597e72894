import type { Lifecycle } from '../../../src/base/core/lifecycle.ts';
import { TRANSACTION } from '../../../src/base/onchain/spender/lifecycle.ts';
import { STATES } from '../../../src/client/connect/states.ts';
import { CARD_SESSION } from '../../../src/domain/payments/cards/lifecycle.ts';
import { REFUND } from '../../../src/domain/payments/refunds/lifecycle.ts';
import { CHARGE } from '../../../src/domain/recurring/charges/lifecycle.ts';
import { SUBSCRIPTION } from '../../../src/domain/recurring/subscriptions/lifecycle.ts';
import {
  ENDPOINT_STATUS,
  OPEN_TRACKING,
  RECEIPT,
  RECORD_STATUS,
  TRACKING,
  WEBHOOK_STATUS,
  WEBHOOK_TRACKING,
} from '../../../src/domain/sales/receipts/lifecycle.ts';
import { DELIVERY } from '../../../src/domain/webhooks/delivery/state.ts';
import { ENDPOINT } from '../../../src/domain/webhooks/endpoints/state.ts';
import { code, codes, table } from './markdown.ts';

/** Every lifecycle, by the name of its diagram in the documents. */
const LIFECYCLES = {
  receipt: RECEIPT,
  delivery: DELIVERY,
  'webhook-endpoint': ENDPOINT,
  refund: REFUND,
  'card-session': CARD_SESSION,
  subscription: SUBSCRIPTION,
  charge: CHARGE,
  transaction: TRANSACTION,
} as const satisfies Record<string, Lifecycle<string>>;

function diagram({ first, moves }: Lifecycle<string>): string {
  const begin = first.map((status) => `  [*] --> ${status}`);
  const arrows = Object.entries(moves).flatMap(([from, targets]) => targets.map((to) => `  ${from} --> ${to}`));
  return ['```mermaid', 'stateDiagram-v2', ...begin, ...arrows, '```'].join('\n');
}

/** The tables and diagrams of statuses, by the name of their marker. */
export const statusTables: Readonly<Record<string, () => string>> = {
  'connector-states': () =>
    table(
      ['State', 'May become', 'Order `waiting`', '`fulfilled`', '`closed`'],
      Object.entries(STATES).map(([state, { next, waiting, fulfilled, closed }]) => [
        code(state),
        codes(next) || 'none (final)',
        ...[waiting, fulfilled, closed].map(code),
      ]),
    ),
  ...Object.fromEntries(Object.entries(LIFECYCLES).map(([name, one]) => [`${name}-lifecycle`, () => diagram(one)])),
  moves: () =>
    table(
      ['From', 'To'],
      Object.entries(RECEIPT.moves).map(([from, targets]) => [
        code(from),
        targets.length > 0 ? codes(targets) : 'none (final)',
      ]),
    ),
  vocabularies: () =>
    table(
      ['GraphQL `status`', 'Receipt records, GraphQL `recordStatus`', '`GET /api/receipts/status`', 'Webhook'],
      RECEIPT.statuses.map((status) => [
        code(status),
        code(RECORD_STATUS[status]),
        code(ENDPOINT_STATUS[status]),
        WEBHOOK_STATUS[status] === undefined ? 'none' : code(WEBHOOK_STATUS[status]),
      ]),
    ),
  tracking: () =>
    table(
      ['Report', 'Permission', 'Webhook'],
      TRACKING.map((name) => [
        code(name),
        OPEN_TRACKING.has(name) ? '`receipts:write`, the page itself, or admin' : 'admin',
        WEBHOOK_TRACKING.has(name) ? code(name) : 'none',
      ]),
    ),
};
