import type { Wallet } from '../../../base/core/wallet.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { RecordedCheckout } from '../../sales/receipts/fail.ts';
import { OPEN } from './lifecycle.ts';
import type { ProviderName } from './provider.ts';
import { type OnrampSession, SESSION_COLUMNS } from './session.entity.ts';

/** The time until an untouched checkout is abandoned, and, after the buyer's last step, until a started one expires. */
export const ABANDONED_AFTER_MS = 30 * 60 * 1000;
export const EXPIRES_AFTER_MS = 60 * 60 * 1000;

/** The time until the delivery for a charged card is overdue. */
export const DELIVERED_AFTER_MS = 60 * 60 * 1000;

/** Loads a session and locks it; its receipt must be locked first. Null if it does not exist. */
export async function lockSession(uow: UnitOfWork, merchant: Wallet, id: string): Promise<OnrampSession | null> {
  const found = await uow.db
    .selectFrom('OnrampSession')
    .select(SESSION_COLUMNS)
    .where((eb) => eb.and({ merchant, id }))
    .forUpdate()
    .executeTakeFirst();
  return found ?? null;
}

/** The session for a provider's id; null if it is not a session of this server. */
export async function locateSession(
  uow: UnitOfWork,
  provider: ProviderName,
  providerSessionId: string,
): Promise<{ readonly merchant: Wallet; readonly id: string; readonly receiptId: string } | null> {
  const found = await uow.db
    .selectFrom('OnrampSession')
    .select(['merchant', 'id', 'receiptId'])
    .where((eb) => eb.and({ provider, providerSessionId }))
    .executeTakeFirst();
  return found ?? null;
}

/** The newest session of a receipt that still waits for the buyer; null if there is none. */
export async function findOpenSession(
  uow: UnitOfWork,
  receipt: { readonly merchant: Wallet; readonly id: string },
  now: number,
): Promise<OnrampSession | null> {
  const open = await uow.db
    .selectFrom('OnrampSession')
    .select(SESSION_COLUMNS)
    .where((eb) => eb.and({ merchant: receipt.merchant, receiptId: receipt.id }))
    .where('status', 'in', OPEN)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return open ?? null;
}

/** The fields of a session that are recorded on its receipt. */
export const recordedCheckoutOf = (session: OnrampSession): RecordedCheckout => ({
  onrampSessionId: session.providerSessionId,
  onrampSourceAmountCents: session.sourceAmountCents,
  customerTotalCents: session.customerTotalCents ?? null,
});
