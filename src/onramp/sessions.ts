import { LockMode } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { RecordedCheckout } from '../receipts/fail.ts';
import type { ProviderName } from './provider.ts';
import { OnrampSession, type SessionStatus } from './session.entity.ts';

/** In these a session waits for the buyer. */
export const OPEN_STATUSES: readonly SessionStatus[] = ['initialized', 'requires_payment'];

/** In these the provider has taken the buyer's money. */
export const CHARGED_STATUSES: readonly SessionStatus[] = ['fulfillment_processing', 'fulfillment_complete'];

export const isOpen = ({ status }: Pick<OnrampSession, 'status'>): boolean => OPEN_STATUSES.includes(status);

/** A checkout that nobody touched is abandoned after so long; one that was begun expires so long after the buyer's last step. */
export const ABANDONED_AFTER_MS = 30 * 60 * 1000;
export const EXPIRES_AFTER_MS = 60 * 60 * 1000;

/** What a card was charged for should have arrived after so long. */
export const DELIVERED_AFTER_MS = 60 * 60 * 1000;

/** Loads a session for changing; its receipt must be locked before it. Null where there is none. */
export function lockSession(uow: UnitOfWork, merchant: Wallet, id: string): Promise<OnrampSession | null> {
  return uow.em.findOne(OnrampSession, { merchant, id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Which session, and whose, a provider's own id means; null for one that is not ours. */
export async function locateSession(
  uow: Pick<UnitOfWork, 'sql'>,
  provider: ProviderName,
  providerSessionId: string,
): Promise<{ readonly merchant: Wallet; readonly id: string; readonly receiptId: string } | null> {
  const [found] = await uow.sql<{ merchant: Wallet; id: string; receiptId: string }>(
    'select merchant, id, receipt_id as "receiptId" from onramp_sessions where provider = $1 and provider_session_id = $2',
    [provider, providerSessionId],
  );
  return found ?? null;
}

/** The newest session of a receipt that still waits for its buyer; null where none does. */
export async function findOpenSession(
  uow: UnitOfWork,
  receipt: { readonly merchant: Wallet; readonly id: string },
  now: number,
): Promise<OnrampSession | null> {
  const [open] = await uow.em.find(
    OnrampSession,
    { merchant: receipt.merchant, receiptId: receipt.id, status: { $in: [...OPEN_STATUSES] }, expiresAt: { $gt: now } },
    { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 1 },
  );
  return open ?? null;
}

/** What a receipt tells of a session. */
export const recordedCheckoutOf = (session: OnrampSession): RecordedCheckout => ({
  onrampSessionId: session.providerSessionId,
  onrampSourceAmountCents: session.sourceAmountCents,
  customerTotalCents: session.customerTotalCents ?? null,
});
