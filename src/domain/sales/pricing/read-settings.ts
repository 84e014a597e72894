import { type ExpressionBuilder, type Nullable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Currency } from '../../../base/core/amount.ts';
import type { Jurisdiction } from '../../../base/core/jurisdiction.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { brandName, merchantNotFound } from '../../shop/merchants/find.ts';
import { BASE_FEE_BPS, type FeeBearer } from '../../shop/merchants/shop.ts';
import { JURISDICTION_COLUMNS } from '../../shop/tax/jurisdictions.ts';

/** Everything beside the items that determines an order's price, at one version of the merchant. */
export interface MerchantSettings {
  readonly wallet: Wallet;
  /** An order priced with these settings is booked only if this is still the current version. */
  readonly version: number;
  /** The name shown to buyers: the shop's name, else the merchant's. */
  readonly brandName: string;
  readonly brandKey: string;
  /** The platform's 50 plus the merchant's add-on. */
  readonly feeBps: number;
  readonly feeBorneBy: FeeBearer;
  readonly pricesIncludeTax: boolean;
  /** The address that receives payments; null until a split is configured. */
  readonly splitAddress: Wallet | null;
  /** The only chain where that address has code; null if it can be deployed on every chain. */
  readonly splitOnlyChainId: number | null;
  readonly nativeCurrency: Currency;
  /** The operator has suspended it: nothing new is sold. */
  readonly suspended: boolean;
  /** Whether orders hold the stock of their items. */
  readonly holdStock: boolean;
  /** The merchant's own tax jurisdictions. */
  readonly jurisdictions: readonly Jurisdiction[];
}

/**
 * The fields of an item that an order needs. Stock is not part of it: it changes without a new version, and is checked
 * when the order is booked.
 */
export interface PricedItem {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  /** Null if the item has a native price; then `priceCents` and `currency` define it. */
  readonly priceUsdCents: number | null;
  readonly priceCents: number | null;
  readonly currency: Currency | null;
  readonly taxable: boolean;
  /** Whether stock is tracked. */
  readonly stockLimited: boolean;
  /** The item's own picture; null if it has none, or one too large for a line. */
  readonly thumb: string | null;
}

/** Identifies an item of the merchant: by id, else by sku. */
export interface ItemRef {
  readonly id?: string | null;
  readonly sku?: string | null;
}

/** Runs a query on the pipelined connections (`deps.db`) or in a transaction (a unit of work). */
type Reader = Pick<Db, 'run'>;

const SETTINGS = query(
  'merchant-settings',
  (db, $: { merchant: Wallet; chainId: number }) =>
    db
      .selectFrom('Merchant as m')
      .leftJoin('Split as s', (join) =>
        join.onRef('s.merchant', '=', 'm.wallet').on('s.chainId', '=', $.chainId).on('s.replacedAt', 'is', null),
      )
      .select((eb) => [
        'm.version',
        'm.brandKey',
        's.address as splitAddress',
        sql<number | null>`case when ${eb.ref('s.initCode')} is null then ${eb.ref('s.chainId')} end`.as(
          'splitOnlyChainId',
        ),
        brandName(eb.ref('m.shop'), eb.ref('m.name')).as('brandName'),
        sql<number>`coalesce((${eb.ref('m.shop')} ->> 'processingFeeBps')::int, 0)`.as('addOnBps'),
        sql<FeeBearer>`coalesce(${eb.ref('m.shop')} ->> 'feeBorneBy', 'buyer')`.as('feeBorneBy'),
        sql<boolean>`coalesce((${eb.ref('m.shop')} ->> 'pricesIncludeTax')::bool, false)`.as('pricesIncludeTax'),
        sql<Currency>`coalesce(${eb.ref('m.pricing')} ->> 'nativeCurrency', 'USD')`.as('nativeCurrency'),
        sql<boolean>`coalesce((${eb.ref('m.shop')} ->> 'holdStock')::bool, false)`.as('holdStock'),
        eb('m.suspendedAt', 'is not', null).$castTo<boolean>().as('suspended'),
        jsonArrayFrom(
          eb
            .selectFrom('MerchantJurisdiction as j')
            .select(JURISDICTION_COLUMNS)
            .whereRef('j.merchant', '=', 'm.wallet')
            .orderBy('j.code'),
        ).as('jurisdictions'),
      ])
      .where('m.wallet', '=', $.merchant),
  {
    computed: {
      splitOnlyChainId: 'int8',
      brandName: 'text',
      addOnBps: 'int4',
      feeBorneBy: 'text',
      pricesIncludeTax: 'bool',
      nativeCurrency: 'text',
      holdStock: 'bool',
      suspended: 'bool',
      jurisdictions: 'json',
    },
  },
);

type ItemBuilder = ExpressionBuilder<Database & { m: Database['Merchant']; i: Nullable<Database['Item']> }, 'm' | 'i'>;

const COLUMNS = [
  'm.version',
  'i.id',
  'i.sku',
  'i.name',
  'i.priceUsdCents',
  'i.priceCents',
  'i.currency',
  'i.taxable',
] as const;

const COMPUTED = (eb: ItemBuilder) =>
  [
    eb('i.stockQty', '>=', 0).$castTo<boolean>().as('stockLimited'),
    sql<string | null>`case when length(${eb.ref('i.thumb')}) <= 4096 then ${eb.ref('i.thumb')} end`.as('thumb'),
  ] as const;

const ITEMS = query(
  'priced-items',
  (db, $: { merchant: Wallet; ids: readonly string[]; skus: readonly string[] }) =>
    db
      .selectFrom('Merchant as m')
      .leftJoin('Item as i', (join) =>
        join
          .onRef('i.merchant', '=', 'm.wallet')
          .on((eb) =>
            eb.or([
              eb('i.id', '=', sql<string>`any(${$.ids}::text[])`),
              eb('i.sku', '=', sql<string>`any(${$.skus}::text[])`),
            ]),
          ),
      )
      .select(COLUMNS)
      .select(COMPUTED)
      .where('m.wallet', '=', $.merchant),
  { computed: { stockLimited: 'bool', thumb: 'text' } },
);

const CATALOG = query(
  'priced-catalog',
  (db, $: { merchant: Wallet; limit: number }) =>
    db
      .selectFrom('Merchant as m')
      .leftJoin('Item as i', 'i.merchant', 'm.wallet')
      .select(COLUMNS)
      .select(COMPUTED)
      .where('m.wallet', '=', $.merchant)
      .orderBy('i.id')
      .limit($.limit),
  { computed: { stockLimited: 'bool', thumb: 'text' } },
);

/** Reads the first items of a merchant, with the version they belong to. */
export async function readPricedCatalog(
  reader: Reader,
  merchant: Wallet,
  limit: number,
): Promise<{ readonly version: number; readonly items: PricedItem[] }> {
  return pricedItems(await reader.run(CATALOG, { merchant, limit }));
}

/**
 * Reads a merchant's settings from the database, in one statement so that they are of one version. Refuses with
 * `not_found`.
 */
export async function readSettings(reader: Reader, merchant: Wallet, chainId: number): Promise<MerchantSettings> {
  const [row] = await reader.run(SETTINGS, { merchant, chainId });
  if (!row) throw merchantNotFound();
  const { addOnBps, ...rest } = row;
  return { wallet: merchant, feeBps: BASE_FEE_BPS + addOnBps, ...rest };
}

/** Reads items from the database, with the version they belong to. Items that do not exist are omitted. */
export async function readPricedItems(
  reader: Reader,
  merchant: Wallet,
  refs: readonly ItemRef[],
): Promise<{ readonly version: number; readonly items: PricedItem[] }> {
  const ids = refs.flatMap(({ id }) => id ?? []);
  const skus = refs.flatMap(({ id, sku }) => (id == null && sku != null ? [sku] : []));
  return pricedItems(await reader.run(ITEMS, { merchant, ids, skus }));
}

/** The items of rows of one version. Without items there is one row. */
function pricedItems(rows: readonly RowOf<typeof ITEMS>[]) {
  if (rows.length === 0) throw merchantNotFound();
  const items = rows.flatMap(({ version, ...item }) => (item.id === null ? [] : [item as PricedItem]));
  return { version: rows[0]!.version, items };
}
