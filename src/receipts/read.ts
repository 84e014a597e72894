import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { ReceiptStatus } from './lifecycle.ts';
import type { BillingAddress, LineItem, Pricing } from './receipt.entity.ts';

/** A line for display, with its picture if already loaded. */
export interface ShownLine extends LineItem {
  readonly thumb?: string;
}

/** A receipt as a plain row. Money in cents, times in epoch ms. */
export interface ReceiptRow {
  readonly merchant: Wallet;
  readonly id: string;
  readonly origin: 'order' | 'receipt' | 'terminal' | 'charge';
  readonly status: ReceiptStatus;
  readonly seq: number;
  readonly totalCents: number;
  readonly currency: 'USD' | 'EUR';
  readonly lineItems: readonly ShownLine[];
  readonly jurisdictionCode: string | null;
  readonly taxRate: string | null;
  readonly taxComponents: readonly string[] | null;
  readonly pricing: Pricing | null;
  readonly brandName: string;
  readonly transactionId: string | null;
  readonly metadata: Record<string, unknown> | null;
  readonly billingAddress: BillingAddress | null;
  readonly redirectUrl: string | null;
  readonly successUrl: string | null;
  readonly webhookUrl: string | null;
  readonly transactionHash: `0x${string}` | null;
  readonly transactionTimestamp: number | null;
  readonly buyerWallet: Wallet | null;
  readonly paidToken: string | null;
  readonly paidAmount: string | null;
  readonly failureCode: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The select list for a `ReceiptRow`. Numbers that may exceed JSON's precision are text. */
export const COLUMNS = `merchant, id, origin, status, seq, total_cents as "totalCents", currency, line_items as "lineItems",
  jurisdiction_code as "jurisdictionCode", tax_rate as "taxRate", tax_components as "taxComponents", pricing, brand_name as "brandName",
  transaction_id as "transactionId", metadata, billing_address as "billingAddress", redirect_url as "redirectUrl", success_url as "successUrl",
  webhook_url as "webhookUrl", transaction_hash as "transactionHash", transaction_timestamp as "transactionTimestamp", buyer_wallet as "buyerWallet",
  paid_token as "paidToken", paid_amount::text as "paidAmount", failure_code as "failureCode", created_at as "createdAt", updated_at as "updatedAt"`;

/** One index look-up per key. The lateral form keeps the planner from choosing a full scan while the table is small. */
const ONE = statement(
  'receipt',
  `select n, r.* from unnest($1::text[], $2::text[]) with ordinality as k(merchant, id, n)
    cross join lateral (select ${COLUMNS} from receipts where merchant = k.merchant and id = k.id limit 1) r`,
);
const BY_ID = statement(
  'receipts-by-id',
  `select ${COLUMNS} from receipts where id = $1 order by origin = 'receipt' limit 3`,
);

type ReadDeps = Pick<Deps, 'sql'>;

/** One receipt of a merchant; null if the merchant has no receipt with this id. */
export function findReceipt(deps: ReadDeps, merchant: Wallet, id: string): Promise<ReceiptRow | null> {
  return deps.sql.row<ReceiptRow>(ONE, [merchant, id]);
}

/** Like `findReceipt`, but refuses with `not_found`. */
export async function readReceipt(deps: ReadDeps, merchant: Wallet, id: string): Promise<ReceiptRow> {
  const receipt = await findReceipt(deps, merchant, id);
  if (!receipt) throw refuse('not_found', 'Receipt not found');
  return receipt;
}

/**
 * The buyer's name and address as the pages of a receipt may show them. Null if the caller chose the id, because such
 * an id can be guessed, unless the page was opened with its key.
 */
export const buyersOwn = (
  receipt: Pick<ReceiptRow, 'origin'> & { readonly billingAddress?: BillingAddress | null },
  openedWithKey = false,
): BillingAddress | null => (receipt.origin === 'receipt' && !openedWithKey ? null : (receipt.billingAddress ?? null));

/**
 * The receipt for a portal link without a merchant. Ids made by the server are unguessable and take precedence. An id
 * chosen by callers is accepted only if exactly one merchant uses it.
 */
export async function findPortalReceipt(
  deps: ReadDeps,
  id: string,
  merchant: Wallet | null,
): Promise<ReceiptRow | null> {
  if (merchant) return findReceipt(deps, merchant, id);
  const rows = await deps.sql.rows<ReceiptRow>(BY_ID, [id]);
  const [first, second] = rows;
  if (!first) return null;
  return first.origin !== 'receipt' || !second ? first : null;
}
