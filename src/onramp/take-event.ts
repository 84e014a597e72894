import { submitTransactionWithin } from '../payments/submit.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { failPayment } from '../receipts/fail.ts';
import { isWaiting } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import type { ProviderEvent, ProviderName } from './provider.ts';
import type { OnrampSession, SessionStatus } from './session.entity.ts';
import {
  CHARGED_STATUSES,
  DELIVERED_AFTER_MS,
  EXPIRES_AFTER_MS,
  locateSession,
  lockSession,
  tellOf,
} from './sessions.ts';

export type EventDeps = Pick<Deps, 'orm' | 'boss' | 'bus' | 'chain' | 'clock' | 'log'>;

/** So many events are remembered of a session; it has a handful. */
const EVENTS_KEPT = 50;

/** How far a session has come: it never goes back, whatever comes late. What we ended ourselves may go on at the provider. */
const PROGRESS: Readonly<Record<SessionStatus, number>> = {
  initialized: 0,
  abandoned: 0,
  requires_payment: 1,
  expired: 1,
  cancelled: 1,
  fulfillment_processing: 2,
  failed: 3,
  fulfillment_complete: 4,
};

/**
 * Takes what a provider tells of a session: the session goes on, its receipt hears of it, and the delivery is looked for on the chain. In any number and
 * order: an event that was taken, one that is late, and one of a session that is not ours change nothing. A failure fails the receipt only where the
 * session is its latest attempt and no money was seen. True where something was changed.
 */
export async function takeProviderEvent(
  deps: EventDeps,
  provider: ProviderName,
  sessionId: string,
  event: ProviderEvent,
): Promise<boolean> {
  return inTransaction(deps, async (uow) => {
    const place = await locateSession(uow, provider, sessionId);
    if (!place) return false;
    // Always the receipt first: whoever changes both waits here.
    const receipt = await lockReceipt(uow, place.merchant, place.receiptId);
    const session = await lockSession(uow, place.merchant, place.id);
    if (!receipt || !session || !goOn(session, event, deps.clock())) return false;
    const actor = `onramp:${provider}`;
    if (event.failureCode !== null) await fail(deps, uow, receipt, session, event.failureCode, actor);
    else if (CHARGED_STATUSES.includes(session.status)) await charge(deps, uow, receipt, session, actor);
    else await tryAgain(deps, uow, receipt, session, actor);
    if (event.transactionHash !== null) {
      await submitTransactionWithin(deps, uow, {
        merchant: session.merchant,
        receiptId: session.receiptId,
        transactionHash: event.transactionHash,
        vouched: { by: actor, amount: event.deliveredAmount },
      });
    }
    await uow.em.flush();
    return true;
  });
}

/** Writes the event into the session; false where it says nothing new. */
function goOn(session: OnrampSession, event: ProviderEvent, now: number): boolean {
  if (session.eventIds.includes(event.id) || event.at < (session.eventAt ?? 0)) return false;
  const status = event.status === 'ended' ? endedBy(event) : event.status;
  if (PROGRESS[status] < PROGRESS[session.status]) return false;
  const isCharged = (one: SessionStatus) => CHARGED_STATUSES.includes(one);
  if (isCharged(status) && !isCharged(session.status)) session.deliveryDueAt = now + DELIVERED_AFTER_MS;
  Object.assign(session, {
    status,
    failureCode: event.failureCode,
    sourceAmountCents: event.sourceAmountCents ?? session.sourceAmountCents,
    customerTotalCents: event.customerTotalCents ?? session.customerTotalCents,
    transactionHash: event.transactionHash ?? session.transactionHash,
    eventIds: [...session.eventIds, event.id].slice(-EVENTS_KEPT),
    eventAt: event.at,
    updatedAt: now,
    expiresAt: now + EXPIRES_AFTER_MS,
  });
  return true;
}

const ENDINGS: Readonly<Partial<Record<string, SessionStatus>>> = {
  PORTAL_SESSION_CANCELLED: 'cancelled',
  PORTAL_SESSION_ABANDONED: 'abandoned',
  PORTAL_SESSION_EXPIRED: 'expired',
};

const endedBy = ({ failureCode }: ProviderEvent): SessionStatus => ENDINGS[failureCode ?? ''] ?? 'failed';

/** Whether the session is what the receipt's buyer tried last. */
export const isLatest = (receipt: Receipt, session: OnrampSession): boolean =>
  receipt.onrampSessionId === session.providerSessionId;

async function fail(
  deps: EventDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  session: OnrampSession,
  code: NonNullable<ProviderEvent['failureCode']>,
  actor: string,
): Promise<void> {
  if (!isLatest(receipt, session)) return;
  const detail = { onrampSessionId: session.providerSessionId };
  await failPayment(deps, uow, receipt, code, { actor, detail, checkout: tellOf(session) });
}

/** The card was charged: from here the receipt waits for the delivery, whatever had failed before. */
async function charge(
  deps: EventDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  session: OnrampSession,
  actor: string,
): Promise<void> {
  // Money that is there already may have come from a wallet: it is the card's only where its transaction says so.
  const delivered = session.transactionHash !== null && receipt.transactionHash === session.transactionHash;
  if (!isWaiting(receipt) && !delivered) return;
  const detail = { onrampSessionId: session.providerSessionId };
  if (receipt.status === 'generated' || receipt.status === 'failed') {
    await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor, detail });
  }
  const first = !receipt.onrampCharged;
  Object.assign(receipt, tellOf(session), { onrampCharged: true });
  if (first) await recordChange(deps, uow, receipt, { kind: 'note', name: 'card_charged' }, { actor, detail });
}

/** The buyer is at it again, at the provider. */
async function tryAgain(
  deps: EventDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  session: OnrampSession,
  actor: string,
): Promise<void> {
  if (receipt.status !== 'failed' || !isLatest(receipt, session)) return;
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor });
  Object.assign(receipt, tellOf(session));
}
