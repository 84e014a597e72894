import { orderBody } from '../bodies.ts';
import { CreateOrderDocument } from '../generated/graphql.ts';
import { newRecord } from '../records.ts';
import { type Route, route, scope } from '../route.ts';

/** Orders. */
export const orderRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/orders',
    access: scope('orders:create'),
    rate: 'orders',
    summary: 'Turns cart items into a receipt with tax and processing fee',
    operation: CreateOrderDocument,
    variables: (request) => ({ input: orderBody(request), idempotencyKey: request.idempotencyKey }),
    answer: ({ createOrder }) => ({
      body: { ok: true, receipt: newRecord(createOrder) },
    }),
  }),
];
