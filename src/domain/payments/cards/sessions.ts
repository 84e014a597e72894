import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import { jsonb, query } from '../../../base/platform/postgres/query.ts';
import { walkQuery } from '../../../base/platform/sweep.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { RecordedCheckout } from '../../sales/receipts/fail.ts';
import { CARD_SESSION, CHARGED, OPEN, type SessionStatus } from './lifecycle.ts';
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

const KEPT = sql.join([...OPEN, ...CHARGED].map((status) => sql.lit(status)));

/** Deletes the card checkouts that ended without a charge and were last changed before a time. */
export const DELETE_CHECKOUTS = walkQuery('onramp-sessions-delete', {
  table: 'onramp_sessions',
  key: ['merchant', 'id'],
  isDue: (before) =>
    sql`t.status not in (${KEPT}) and t.customer_total_cents is null and t.transaction_hash is null
      and t.delivery_due_at is null and t.updated_at < ${before}`,
});

/** Erases where the card checkouts of receipts return their buyers to: the merchant's address may name the buyer. */
export const ERASE_REDIRECTS = query('onramp-sessions-erase', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .updateTable('OnrampSession')
    .set({ redirectUrl: null })
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', sql<string>`any(${$.ids}::text[])`)
    .where('redirectUrl', 'is not', null),
);

/**
 * The only change of a session's status. The session's receipt must be locked. Sets other fields with it; a session may
 * keep its status and change only them. Returns false, and changes nothing, if the session may not move to `to`.
 */
export async function moveSession(
  uow: UnitOfWork,
  session: OnrampSession,
  to: SessionStatus,
  fields: Partial<Omit<OnrampSession, 'merchant' | 'id' | 'status'>>,
): Promise<boolean> {
  if (session.status !== to && !CARD_SESSION.mayMove(session.status, to)) return false;
  Object.assign(session, fields, { status: to });
  const { eventIds, ...others } = fields;
  await uow.db
    .updateTable('OnrampSession')
    .set({ ...others, ...(eventIds && { eventIds: jsonb(eventIds) }), status: to })
    .where('merchant', '=', session.merchant)
    .where('id', '=', session.id)
    .execute();
  return true;
}
