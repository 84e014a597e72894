import { merchantOf } from '../../../base/core/caller.ts';
import { refundInput } from '../../../domain/payments/refunds/refund.input.ts';
import { requireOwnWallet } from '../../../domain/shop/merchants/own-wallet.ts';
import type { RefundReceiptInput } from '../generated/graphql.ts';
import { readsBody } from '../reader.ts';

/** The body of `POST /api/receipts/refund`. A missing body counts as one without a receipt. */
export const refundBody = readsBody(
  refundInput,
  ({ usdCents, items, ...checked }, { caller }): RefundReceiptInput => {
    requireOwnWallet(merchantOf(caller), checked.wallet);
    return {
      ...checked,
      usd: usdCents / 100,
      items: items.map(({ priceCents, ...item }) => ({ ...item, priceUsd: priceCents / 100 })),
    };
  },
  { mayBeMissing: true },
);
