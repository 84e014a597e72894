import type { StatusUpdated } from '../../../base/core/events.ts';
import { uuidFor } from '../../../base/core/ids.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { enqueueDeliveries } from './queue.ts';
import { EVENT } from './sign.ts';

/** The brand that the events of a merchant name. */
export const BRAND_KEY = query('webhook-brand-key', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Merchant').select('brandKey').where('wallet', '=', $.merchant),
);

/**
 * Enqueues an event for a merchant's endpoint in the caller's transaction: writes the delivery with its final body, and
 * the job that sends it.
 */
export async function enqueueEvent(uow: UnitOfWork, event: StatusUpdated): Promise<void> {
  const { merchant, receiptId, seq, keyId, webhookUrl: url, at: createdAt } = event;
  const [brand] = await uow.run(BRAND_KEY, { merchant });
  if (!brand) throw new Error(`There is no merchant ${merchant}`);
  const payload = payloadOf(event, brand.brandKey);
  const body = JSON.stringify(payload);
  // After a restore the same change is made again, at another time: its webhook has the id that it had before.
  const id = uuidFor([merchant, { ...payload, timestamp: 0 }]);
  await uow.db
    .insertInto('Delivery')
    .values({ id, merchant, receiptId, seq, event: EVENT, url, keyId, body, state: 'pending', createdAt })
    .execute();
  await enqueueDeliveries(uow, [{ id, url }]);
}

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

/** The status that the stored body of a receipt's webhook names; null if it names none. */
export function reportedStatus(body: string): string | null {
  const { status } = JSON.parse(body) as { readonly status?: unknown };
  return typeof status === 'string' ? status : null;
}
