import type { Wallet } from '../../../base/core/wallet.ts';
import { type Context, readOnce } from '../../../base/graphql/context.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { merchantNotFound } from './find.ts';
import { DEFAULT_PRICING, type PricingConfig } from './pricing.ts';
import { type ShopRecord, shopRecord } from './read-shop.ts';

const READ = query('read-merchant-config', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Merchant').select(['shop', 'pricing', 'createdAt']).where('wallet', '=', $.merchant),
);

/** What a merchant has configured, in one statement per request. Refuses with `not_found` an unknown merchant. */
const readRow = (context: Context, merchant: Wallet): Promise<RowOf<typeof READ>> =>
  readOnce(context, `configuration of ${merchant}`, () => read(context, merchant));

async function read({ db }: Context, merchant: Wallet): Promise<RowOf<typeof READ>> {
  const [row] = await db.run(READ, { merchant });
  if (!row) throw merchantNotFound();
  return row;
}

/** A merchant's shop. */
export async function readShopConfig(context: Context, merchant: Wallet): Promise<ShopRecord> {
  const { shop, createdAt } = await readRow(context, merchant);
  return shopRecord(shop, createdAt);
}

/** A merchant's pricing configuration. */
export async function readPricingConfig(context: Context, merchant: Wallet): Promise<PricingConfig> {
  const { pricing } = await readRow(context, merchant);
  return { ...DEFAULT_PRICING, ...pricing };
}
