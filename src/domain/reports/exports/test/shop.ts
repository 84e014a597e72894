import { ANY, type ReceiptFilter } from '../../receipt-search/filter.input.ts';
import { openShop, SHOP, type Shop } from '../../receipt-search/test/shop.ts';
import type { ExportDeps } from '../column.ts';
import { type ExportRequest, exportReceipts } from '../export-receipts.ts';

const TOKENS = [{ symbol: 'USDC', address: null, decimals: 6 }];

/** A shop whose receipts are exported. */
export interface ExportShop extends Shop {
  readonly deps: ExportDeps;
  /** Inserts paid receipts `R-1` to `R-<count>`, created in this order, with an item, tax and fee. */
  fill(count: number): Promise<void>;
  /** The whole text of an export. */
  text(request?: Partial<ExportRequest>): Promise<string>;
}

/** The request for an export of all receipts of the shop. */
export const everything = (request: Partial<ExportRequest> = {}): ExportRequest => ({
  merchant: SHOP,
  filter: ANY,
  rows: 'receipts',
  format: 'csv',
  timezone: 'UTC',
  direction: 'asc',
  asked: {},
  ...request,
});

/** A filter without conditions but these. */
export const filterOf = (conditions: Partial<ReceiptFilter>): ReceiptFilter => ({ ...ANY, ...conditions });

const CHAIN = { chainId: 1, tokens: TOKENS, finality: [] };

export async function openExportShop(): Promise<ExportShop> {
  const shop = await openShop();
  const deps = { db: shop.db, chain: CHAIN, chains: [CHAIN], clock: () => 1e13 } as unknown as ExportDeps;
  return {
    ...shop,
    deps,
    async fill(count) {
      await shop.run(
        `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items,
           brand_name, created_at, updated_at, closed_at, billing_address, transaction_id, transaction_hash,
           buyer_wallet, paid_token, paid_amount)
         select $1, 'R-' || n, 'order', 'paid', 'paid', 2603, 'USD', $2, 'Shop', 1e9::bigint + n, 1e9::bigint + n,
           1e9::bigint + n, '{"email":"ada@shop.test"}', 'cart-' || n, '0x' || repeat('a', 64),
           '0x' || repeat('b', 40), 'USDC', 26030000 from generate_series(1, $3::int) n`,
        [SHOP, LINES, count],
      );
    },
    async text(request) {
      let text = '';
      for await (const part of exportReceipts(deps, everything(request))) text += part.text;
      return text;
    },
  };
}

const LINES = JSON.stringify([
  { label: 'Stone mug', priceCents: 2400, qty: 2, itemId: 'itm_01kamxyzw2qj8n4v6t0r5s3d1c', sku: 'MUG-STONE' },
  { label: 'Tax', priceCents: 190 },
  { label: 'Processing Fee', priceCents: 13 },
]);
