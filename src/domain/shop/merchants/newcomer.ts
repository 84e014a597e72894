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
const readNewcomers = async (db: Db, merchants: readonly string[]): Promise<ReadonlySet<string>> =>
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

/** How often something may be done within a day. Null: without a limit. */
interface DayLimits {
  /** For one merchant, and for all newcomers together. */
  readonly perDay: number | null;
  /** For all merchants together. */
  readonly total: number | null;
}

/** Takes one for a merchant. It answers the limit that is used up, and takes nothing then. */
export type DayBudget = (merchant: Wallet) => { readonly perDay: number } | { readonly total: number } | null;

/**
 * What is left of a day, after what was done for each merchant. Newcomers share what one merchant has that the operator
 * admitted: no number of merchants that strangers register uses up what the others need.
 */
export async function openDayBudget(
  db: Db,
  { perDay, total }: DayLimits,
  done: ReadonlyMap<Wallet | '', number>,
  merchants: readonly Wallet[],
): Promise<DayBudget> {
  if (perDay === null && total === null) return () => null;
  const counts = new Map(done);
  const newcomers = await readNewcomers(db, [...new Set([...counts.keys(), ...merchants])]);
  let all = 0;
  let ofNewcomers = 0;
  for (const [merchant, count] of counts) {
    all += count;
    if (newcomers.has(merchant)) ofNewcomers += count;
  }
  return (merchant) => {
    const isNewcomer = newcomers.has(merchant);
    const own = counts.get(merchant) ?? 0;
    if (perDay !== null && (isNewcomer ? ofNewcomers : own) >= perDay) return { perDay };
    if (total !== null && all >= total) return { total };
    counts.set(merchant, own + 1);
    all++;
    if (isNewcomer) ofNewcomers++;
    return null;
  };
}
