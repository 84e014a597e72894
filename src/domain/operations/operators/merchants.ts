import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { type KeysetOrder, keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { folded } from '../../../base/platform/postgres/query.ts';
import { brandName, merchantNotFound } from '../../shop/merchants/find.ts';

const DAY_MS = 86_400_000;
/** The days of the volume. */
export const VOLUME_DAYS = 30;

/** Conditions on merchants. Null: any. */
export interface MerchantFilter {
  /** A part of the name or of the wallet. */
  readonly q: string | null;
  readonly suspended: boolean | null;
}

interface Parameters extends MerchantFilter {
  readonly wallet: Wallet | null;
  readonly sinceDay: number;
}

const ORDER: KeysetOrder = {
  name: 'platform-merchants',
  direction: 'desc',
  keys: [
    { name: 'createdAt', type: 'int8' },
    { name: 'wallet', type: 'text' },
  ],
};

const MERCHANTS = keysetList('platform-merchants', {
  order: ORDER,
  from: (db, $: Parameters) =>
    db
      .selectFrom('Merchant')
      .where((eb) => sql<boolean>`(${$.wallet}::text is null or ${eb.ref('wallet')} = ${$.wallet})`)
      .where(
        (eb) => sql<boolean>`(${$.suspended}::bool is null or (${eb.ref('suspendedAt')} is not null) = ${$.suspended})`,
      )
      .where(
        (eb) => sql<boolean>`(${$.q}::text is null or strpos(${eb.ref('wallet')}, lower(${$.q})) > 0
          or strpos(${folded(brandName(eb.ref('shop'), eb.ref('name')))}, ${folded(sql`${$.q}::text`)}) > 0)`,
      ),
  select: (merchants, $) =>
    merchants.select(['wallet', 'createdAt', 'newcomer', 'suspendedAt', 'suspendedReason']).select((eb) => [
      brandName(eb.ref('shop'), eb.ref('name')).as('name'),
      sql<number>`coalesce((select sum(d.paid_count) from receipt_days d
          where d.merchant = wallet and d.day >= ${$.sinceDay}::int), 0)::int8`.as('paidCount'),
      sql<number>`coalesce((select sum(d.paid_cents) from receipt_days d
          where d.merchant = wallet and d.day >= ${$.sinceDay}::int), 0)::int8`.as('paidCents'),
    ]),
  computed: { name: 'text', paidCount: 'int8', paidCents: 'int8' },
  slow: true,
  replica: true,
});

/** A merchant as the operator sees it, with what was paid to it in the last 30 days. Times in epoch ms. */
export interface PlatformMerchant {
  readonly wallet: Wallet;
  readonly name: string;
  readonly createdAt: number;
  readonly newcomer: boolean;
  readonly suspendedAt: number | null;
  readonly suspendedReason: string | null;
  readonly paidCount: number;
  readonly paidCents: number;
}

/** One merchant. Refuses with `not_found`. */
export async function readPlatformMerchant(db: Db, now: number, wallet: Wallet): Promise<PlatformMerchant> {
  const [found] = await merchants(db, now, { q: null, suspended: null, wallet }).read({ limit: 1 });
  if (!found) throw merchantNotFound();
  return found.row;
}

/** All merchants that match, newest first. */
export const listPlatformMerchants = (db: Db, now: number, filter: MerchantFilter): Listing<PlatformMerchant> =>
  merchants(db, now, { ...filter, wallet: null });

function merchants(db: Db, now: number, filter: Omit<Parameters, 'sinceDay'>): Listing<PlatformMerchant> {
  const sinceDay = Math.floor(now / DAY_MS) - VOLUME_DAYS + 1;
  return listing(db, MERCHANTS, { ...filter, sinceDay }, 'platform');
}
