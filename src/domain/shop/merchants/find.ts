import { type Expression, type RawBuilder, sql } from 'kysely';
import { type Refusal, refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { ShopConfig } from './shop.ts';

/** The name shown to buyers: the shop's name, else the merchant's. */
export const brandName = (shop: Expression<ShopConfig>, name: Expression<string>): RawBuilder<string> =>
  sql`coalesce(${shop} ->> 'name', ${name})`;

const IDENTITY = ['wallet', 'name', 'brandKey', 'version', 'createdAt'] as const;

const FIND = query(
  'find-merchant',
  (db, $: { wallet: Wallet }) =>
    db
      .selectFrom('Merchant')
      .select(IDENTITY)
      .select((eb) => brandName(eb.ref('shop'), eb.ref('name')).as('brandName'))
      .where('wallet', '=', $.wallet),
  { computed: { brandName: 'text' } },
);

/** A merchant's identity: the name given at registration, and the name shown to buyers. */
export type MerchantRecord = RowOf<typeof FIND>;

/** The merchant registered under a wallet; null if there is none. */
export async function findMerchant(db: Db, wallet: Wallet): Promise<MerchantRecord | null> {
  const [merchant] = await db.run(FIND, { wallet });
  return merchant ?? null;
}

const LIST = query(
  'list-merchants',
  (db, _: object) =>
    db
      .selectFrom('Merchant')
      .select(IDENTITY)
      .select((eb) => brandName(eb.ref('shop'), eb.ref('name')).as('brandName'))
      .orderBy('createdAt')
      .orderBy('wallet'),
  { computed: { brandName: 'text' } },
);

/** Every merchant of the installation, oldest first. For the operator only. */
export function listMerchants(db: Db): Promise<MerchantRecord[]> {
  return db.run(LIST, {});
}

/** The refusal for a wallet without a merchant: `not_found`. */
export const merchantNotFound = (): Refusal => refuse('not_found', 'No merchant is registered under this wallet');

/** Whether a merchant is registered under a wallet, within a unit of work. */
export async function isRegistered(uow: UnitOfWork, wallet: Wallet): Promise<boolean> {
  const merchant = await uow.db.selectFrom('Merchant').select('wallet').where('wallet', '=', wallet).executeTakeFirst();
  return merchant !== undefined;
}
