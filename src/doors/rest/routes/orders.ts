import { orderBody } from '../bodies.ts';
import { CreateOrderDocument } from '../generated/graphql.ts';
import { newRecord } from '../omit-nulls.ts';
import { type Route, route, scope } from '../route.ts';

/** Orders. */
export const orderRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/orders',
    access: scope('orders:create'),
    summary: 'Create an order',
    detail: 'Turns cart items into a receipt with tax and processing fee.',
    body: orderBody,
    repeatable: true,
    degrades: true,
    refuses: [
      'items_required',
      'inventory_item_not_found',
      'invalid_wallet',
      'platform_recipient_not_configured',
      'merchant_suspended',
      'split_required',
      'not_found',
      'exchange_rate_unavailable',
    ],
    operation: CreateOrderDocument,
    variables: ({ body, idempotencyKey }) => ({ input: body, idempotencyKey }),
    answer: ({ createOrder: { paymentUrl, expiresAt, ...receipt } }) => ({
      body: { ok: true, receipt: newRecord(receipt), paymentUrl, expiresAt },
    }),
  }),
];
