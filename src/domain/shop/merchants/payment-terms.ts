import { type RawBuilder, sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { DEFAULT_SHOP, type ShopConfig } from './shop.ts';

/** What a merchant accepts besides payments in full and in time, and how its buyers may pay. */
export type PaymentTerms = Pick<
  ShopConfig,
  'lateHours' | 'toleranceBps' | 'toleranceCents' | 'gasless' | 'paymentTokens'
>;

/** A merchant's `lateHours` within a statement. `shop` is its configuration; null counts as the default. */
export const lateHoursIn = (shop: unknown): RawBuilder<number> =>
  sql<number>`coalesce((${shop} ->> 'lateHours')::int, ${sql.lit(DEFAULT_SHOP.lateHours)})`;

const READ = query('merchant-payment-terms', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Merchant').select('shop').where('wallet', '=', $.merchant),
);

/** A merchant's terms, with defaults for missing fields. */
export async function readPaymentTerms(reader: Pick<Db, 'run'>, merchant: Wallet): Promise<PaymentTerms> {
  const [row] = await reader.run(READ, { merchant });
  return { ...DEFAULT_SHOP, ...row?.shop };
}
