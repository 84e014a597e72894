import type { Wallet } from '../core/wallet.ts';
import type { Bus } from '../platform/bus.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';
import type { SubscriptionEventKind } from './subscription-event.entity.ts';

/** A new subscription event. Money in cents, times in epoch ms. */
export interface NewSubscriptionEvent {
  readonly merchant: Wallet;
  readonly subscriptionId: string;
  readonly kind: SubscriptionEventKind;
  /** The subscription's status after the event. */
  readonly status: SubscriptionStatus;
  readonly chargeId?: string;
  readonly receiptId?: string;
  readonly amountCents?: number;
  readonly feeCents?: number;
  readonly transactionHash?: `0x${string}`;
  /** A code of the failure catalogue. */
  readonly failure?: string;
  readonly at: number;
}

/** The bus channel that signals new events of a merchant's subscriptions. */
export const subscriptionsChannel = (merchant: Wallet): string => `subscriptions:${merchant}`;

/** Writes events in the caller's transaction, and signals their merchants' channels after commit. */
export async function recordSubscriptionEvents(
  { bus }: { readonly bus: Bus },
  uow: UnitOfWork,
  events: readonly NewSubscriptionEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await uow.sql(
    `insert into subscription_events (merchant, subscription_id, kind, status, charge_id, receipt_id, amount_cents, fee_cents, transaction_hash, failure, at)
     select merchant, "subscriptionId", kind, status, "chargeId", "receiptId", "amountCents", "feeCents", "transactionHash", failure, at
       from jsonb_to_recordset($1::jsonb) as e(merchant text, "subscriptionId" text, kind text, status text, "chargeId" text, "receiptId" text,
            "amountCents" bigint, "feeCents" bigint, "transactionHash" text, failure text, at bigint)`,
    [JSON.stringify(events)],
  );
  const merchants = new Set(events.map(({ merchant }) => merchant));
  uow.afterCommit(() => {
    for (const merchant of merchants) bus.publish(subscriptionsChannel(merchant), '');
  });
}
