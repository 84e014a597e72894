import { merchantOf } from '../../../base/core/caller.ts';
import type { ErrorCode } from '../../../base/core/errors.ts';
import { type OrderInput, orderInput } from '../../../domain/sales/orders/order.input.ts';
import type { ReceiptOptions } from '../../../domain/sales/receipts/options.ts';
import { requireOwnWallet } from '../../../domain/shop/merchants/own-wallet.ts';
import type { CreateOrderInput } from '../generated/graphql.ts';
import { CreateOrderDocument } from '../generated/graphql.ts';
import { newRecord } from './omit-nulls.ts';
import { readsBody } from './reader.ts';
import { type Route, route, scope } from './route.ts';

/** The optional parameters under their primary names, for every alias. */
export function optionFields(options: ReceiptOptions) {
  const { postPayment, buyerEmail, billingAddress, ...rest } = options;
  return { ...rest, onSuccess: postPayment, buyerEmail, billingAddress };
}

/** A checked order as the input of the operation. */
export const orderVariables = ({ items, taxRate, options, ...checked }: OrderInput): CreateOrderInput => ({
  items: items.map(({ id, sku, qty }) => ({ item: id === undefined ? { sku: sku as string } : { id }, qty })),
  currency: checked.currency,
  jurisdictionCode: checked.jurisdictionCode,
  taxComponents: checked.taxComponents,
  taxRate: taxRate === undefined ? undefined : Number(taxRate),
  expiresInMinutes: checked.expiresInMinutes,
  ...optionFields(options),
});

/** The body of `POST /api/orders`. A missing body counts as an order without items. */
const orderBody = readsBody(
  orderInput,
  (checked, { caller }): CreateOrderInput => {
    requireOwnWallet(merchantOf(caller), checked.wallet);
    return orderVariables(checked);
  },
  { mayBeMissing: true },
);

/** The errors of placing an order. */
export const ORDER_REFUSALS = [
  'items_required',
  'inventory_item_not_found',
  'invalid_wallet',
  'platform_recipient_not_configured',
  'merchant_suspended',
  'split_required',
  'not_found',
  'exchange_rate_unavailable',
] as const satisfies readonly ErrorCode[];

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
    refuses: ORDER_REFUSALS,
    operation: CreateOrderDocument,
    variables: ({ body, idempotencyKey }) => ({ input: body, idempotencyKey }),
    answer: ({ createOrder: { paymentUrl, checkoutToken, expiresAt, ...receipt } }) => ({
      body: { ok: true, receipt: newRecord(receipt), paymentUrl, checkoutToken, expiresAt },
    }),
  }),
];
