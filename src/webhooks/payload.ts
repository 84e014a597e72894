import type { StatusUpdated } from '../core/events.ts';
import { usdFromCents } from '../core/money.ts';
import { EVENT } from './sign.ts';

/**
 * The body's fields, in the contract's order, and after them the `seq` that history and live stream carry too, and `oversold` where the sale exceeded the
 * stock. What may be null is null where there is nothing to say; a field that may not (`token`,
 * `onrampSourceAmountUsd`) is left out. A card checkout is opened for one receipt, and its table holds each only once, so a session that is told is always
 * unique. A failed payment has no transaction to tell of, so those fields are left out of its event.
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
    ...(event.oversold && event.oversold.length > 0 ? { oversold: event.oversold } : {}),
  };
}
