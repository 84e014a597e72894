import type { StatusUpdated } from '../../base/core/events.ts';
import { usdFromCents } from '../../base/core/money.ts';
import { EVENT } from './sign.ts';

/**
 * The body of an event: the contract's fields in their order, then `seq`, as in the history and the live stream,
 * `acceptedUsd` if a smaller payment was accepted, and `oversold` if the sale exceeded the stock. Nullable fields are
 * null if unknown; other unknown fields (`token`, `onrampSourceAmountUsd`) are omitted. A card session belongs to one
 * receipt only, so it is always unique. The event of a failed payment has no transaction fields.
 */
export function payloadOf(event: StatusUpdated, brandKey: string): Record<string, unknown> {
  const failed = event.failure !== null;
  return {
    event: EVENT,
    receiptId: event.receiptId,
    status: event.status,
    previousStatus: event.previousStatus,
    failureCode: event.failure?.failureCode ?? null,
    failureCategory: event.failure?.failureCategory ?? null,
    failureReason: event.failure?.failureReason ?? null,
    failureAction: event.failure?.failureAction ?? null,
    ...(failed ? {} : { transactionHash: event.transactionHash }),
    buyerWallet: event.buyerWallet,
    merchantWallet: event.merchant,
    totalUsd: usdFromCents(event.totalCents),
    customerTotalUsd: usdFromCents(event.customerTotalCents),
    ...(event.onrampSourceAmountCents === null
      ? {}
      : { onrampSourceAmountUsd: usdFromCents(event.onrampSourceAmountCents) }),
    ...(failed || event.token === null ? {} : { token: event.token }),
    onrampSessionId: event.onrampSessionId,
    isOnrampSessionUnique: event.onrampSessionId !== null,
    transactionId: event.transactionId,
    metadata: event.metadata,
    brandKey,
    timestamp: event.at,
    seq: event.seq,
    ...(failed || event.acceptedUsd == null ? {} : { acceptedUsd: event.acceptedUsd }),
    ...(event.oversold && event.oversold.length > 0 ? { oversold: event.oversold } : {}),
  };
}
