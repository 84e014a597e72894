import { withIdempotencyKey } from '../platform/idempotency.ts';
import type { Author } from '../receipts/author.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { createOrder } from './create-order.ts';

/** Creates an order, once for each Idempotency-Key: the same key and body within 24 hours answer the same receipt, another body is refused. */
export function placeOrder(
  deps: Parameters<typeof createOrder>[0],
  author: Author,
  body: unknown,
  idempotencyKey: string | null,
): Promise<ReceiptRow> {
  if (idempotencyKey === null) return createOrder(deps, author, body);
  return withIdempotencyKey(
    deps,
    { merchant: author.merchant, operation: 'createOrder', key: idempotencyKey, body },
    (uow) => createOrder(deps, author, body, uow),
  );
}
