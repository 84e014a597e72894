import type { Deps } from '../../../base/platform/deps.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { isVoided, waitsAs } from '../../sales/receipts/ended.ts';
import { failPayment } from '../../sales/receipts/fail.ts';
import { isWaiting } from '../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceipt, recordChange, storeReceipt } from '../../sales/receipts/record-change.ts';
import { submitTransactionWithin } from '../matching/submit.ts';
import { isCharged, type SessionStatus } from './lifecycle.ts';
import type { ProviderEvent, ProviderName } from './provider.ts';
import type { OnrampSession } from './session.entity.ts';
import {
  DELIVERED_AFTER_MS,
  EXPIRES_AFTER_MS,
  locateSession,
  lockSession,
  moveSession,
  recordedCheckoutOf,
} from './sessions.ts';

export type EventDeps = Pick<Deps, 'db' | 'bus' | 'chain' | 'chains' | 'clock' | 'settings' | 'log' | 'moneyOnItsWay'>;

/** The number of event ids stored per session; a session has only a few. */
const EVENTS_KEPT = 50;

/** A check under the lock of the receipt, before an event that is new is applied. It may refuse. */
export type BeforeEvent = (uow: UnitOfWork, receipt: Receipt) => Promise<void>;

/**
 * Processes a provider's event about a session: updates the session and its receipt, and looks for the delivery on
 * chain. Events may arrive repeatedly and in any order: a repeated or late event, and an event about an unknown
 * session, change nothing. A failure fails the receipt only if the session is its latest attempt, no money was seen and
 * none is on its way.
 * Returns true if anything changed.
 */
export async function takeProviderEvent(
  deps: EventDeps,
  provider: ProviderName,
  sessionId: string,
  event: ProviderEvent,
  before?: BeforeEvent,
): Promise<boolean> {
  return deps.db.transaction(async (uow) => {
    const place = await locateSession(uow, provider, sessionId);
    if (!place) return false;
    // Lock order: receipt, then session.
    const receipt = await lockReceipt(uow, place.merchant, place.receiptId);
    const session = await lockSession(uow, place.merchant, place.id);
    if (!receipt || !session || session.eventIds.includes(event.id)) return false;
    await before?.(uow, receipt);
    const wasCharged = isCharged(session);
    if (!(await applyEvent(uow, session, event, deps.clock()))) return false;
    const actor = `onramp:${provider}`;
    if (event.failureCode !== null) await fail(deps, uow, receipt, session, event.failureCode, actor);
    else if (isCharged(session)) await charge(deps, uow, receipt, session, { actor, isNew: !wasCharged });
    else await retry(deps, uow, receipt, session, actor);
    const chain = chainOf(deps, session.chainId);
    if (event.transactionHash !== null && chain) {
      await submitTransactionWithin({ ...deps, chain }, uow, {
        merchant: session.merchant,
        receiptId: session.receiptId,
        transactionHash: event.transactionHash,
        vouchedBy: actor,
      });
    }
    return true;
  });
}

/** Applies the event to the session; false if it contains nothing new. */
async function applyEvent(
  uow: UnitOfWork,
  session: OnrampSession,
  event: ProviderEvent,
  now: number,
): Promise<boolean> {
  if (event.at < (session.eventAt ?? 0)) return false;
  const status = event.status === 'ended' ? endedBy(event) : event.status;
  const isCharge = isCharged({ status }) && !isCharged(session);
  return moveSession(uow, session, status, {
    failureCode: event.failureCode,
    sourceAmountCents: event.sourceAmountCents ?? session.sourceAmountCents,
    customerTotalCents: event.customerTotalCents ?? session.customerTotalCents,
    transactionHash: event.transactionHash ?? session.transactionHash,
    eventIds: [...session.eventIds, event.id].slice(-EVENTS_KEPT),
    eventAt: event.at,
    updatedAt: now,
    expiresAt: now + EXPIRES_AFTER_MS,
    ...(isCharge ? { deliveryDueAt: now + DELIVERED_AFTER_MS } : {}),
  });
}

const ENDINGS: Readonly<Partial<Record<string, SessionStatus>>> = {
  PORTAL_SESSION_CANCELLED: 'cancelled',
  PORTAL_SESSION_ABANDONED: 'abandoned',
  PORTAL_SESSION_EXPIRED: 'expired',
};

const endedBy = ({ failureCode }: ProviderEvent): SessionStatus => ENDINGS[failureCode ?? ''] ?? 'failed';

/** Whether the session is the receipt's latest attempt. */
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
  await failPayment(deps, uow, receipt, code, { actor, detail, checkout: recordedCheckoutOf(session) });
}

/** The card was charged: the receipt now waits for the delivery, regardless of earlier failures. */
async function charge(
  deps: EventDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  session: OnrampSession,
  { actor, isNew }: { readonly actor: string; readonly isNew: boolean },
): Promise<void> {
  // The delivery is unmatched, for the merchant to assign.
  if (isVoided(receipt)) return;
  // Money that has already arrived may come from a wallet: it is the card's only if the transaction matches.
  const delivered = session.transactionHash !== null && receipt.transactionHash === session.transactionHash;
  if (!isWaiting(receipt) && !delivered) return;
  const detail = { onrampSessionId: session.providerSessionId };
  if (receipt.status === 'generated' || receipt.status === 'failed') {
    await recordChange(deps, uow, receipt, { kind: 'status', to: waitsAs(receipt) }, { actor, detail });
  }
  Object.assign(receipt, recordedCheckoutOf(session), { onrampCharged: true });
  if (isNew) await recordChange(deps, uow, receipt, { kind: 'note', name: 'card_charged' }, { actor, detail });
  else await storeReceipt(uow, receipt);
}

/** The buyer retried the card payment. */
async function retry(
  deps: EventDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  session: OnrampSession,
  actor: string,
): Promise<void> {
  if (receipt.status !== 'failed' || !isLatest(receipt, session)) return;
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor });
  Object.assign(receipt, recordedCheckoutOf(session));
  await storeReceipt(uow, receipt);
}
