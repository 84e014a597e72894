import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { merchantNotFound } from './find.ts';

const DAY_MS = 86_400_000;

const NEWCOMERS = query('merchant-newcomers', (db, $: { merchants: readonly string[] }) =>
  db
    .selectFrom('Merchant')
    .select('wallet')
    .where('wallet', '=', (eb) => eb.fn.any(eb.val($.merchants as readonly Wallet[])))
    .where('newcomer', '=', sql.lit(true)),
);

/** Those of the merchants that registered themselves, and that the operator has not admitted. */
export const readNewcomers = async (db: Db, merchants: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await db.run(NEWCOMERS, { merchants })).map(({ wallet }) => wallet));

export const isNewcomer = async (db: Db, merchant: Wallet): Promise<boolean> =>
  (await readNewcomers(db, [merchant])).size > 0;

/** The merchants that share the limits of a day with one: itself, or all newcomers if it is one. Within a statement. */
export const sharingLimits = (merchant: Wallet) => sql<Wallet>`(
  select ${merchant}::text
   union select o.wallet from merchants s, merchants o where s.wallet = ${merchant} and s.newcomer and o.newcomer)`;

/**
 * Refuses with `signup_limit_reached` (and `resetAt`, epoch ms) if `SIGNUPS_PER_DAY` newcomers were registered within
 * 24 hours. Registrations at the same time may exceed it by their number.
 */
export async function requireSignupWithinDay(uow: UnitOfWork, limit: number | null, now: number): Promise<void> {
  if (limit === null) return;
  const newest = await uow.db
    .selectFrom('Merchant')
    .select('createdAt')
    .where('newcomer', '=', true)
    .where('createdAt', '>', now - DAY_MS)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
  const oldest = newest[limit - 1];
  if (oldest) throw refuse('signup_limit_reached', undefined, { resetAt: oldest.createdAt + DAY_MS });
}

/**
 * Admits a merchant that registered itself: what newcomers may do together does not limit it any more, within seconds
 * in every process. Repeating it changes nothing. Refuses with `not_found`.
 */
export const admitMerchant = (deps: WritingDeps, merchant: Wallet): Promise<void> =>
  deps.db.transaction(async (uow) => {
    const known = await uow.db
      .selectFrom('Merchant')
      .select('newcomer')
      .where('wallet', '=', merchant)
      .forUpdate()
      .executeTakeFirst();
    if (!known) throw merchantNotFound();
    if (!known.newcomer) return;
    await uow.db
      .updateTable('Merchant')
      .set({ newcomer: false, updatedAt: deps.clock() })
      .where('wallet', '=', merchant)
      .execute();
    await recordAudit(deps, uow, merchant, 'merchant.admitted', ['merchant', merchant], {
      before: { newcomer: true },
      after: { newcomer: false },
    });
  });
