import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { type KeyColumns, keyedQuery, query } from '../../../base/platform/postgres/query.ts';
import { SHOWN_COLUMNS, type ShownColumn } from './columns.ts';
import type { BillingAddress, LineItem, Receipt } from './receipt.entity.ts';

/** A line for display, with its picture if already loaded. */
export interface ShownLine extends LineItem {
  readonly thumb?: string;
}

/** A receipt as a plain row. Money in cents, times in epoch ms. */
export interface ReceiptRow extends Readonly<Omit<Pick<Receipt, ShownColumn>, 'lineItems'>> {
  readonly lineItems: readonly ShownLine[];
}

type Key = KeyColumns<{ merchant: Wallet; id: string }>;

/** The limit keeps the planner from choosing a full scan while the table is small. */
const ONE = keyedQuery('receipt', ['merchant', 'id'], (db, key: Key) =>
  db.selectFrom('Receipt').select(SHOWN_COLUMNS).where('merchant', '=', key.merchant).where('id', '=', key.id).limit(1),
);
const BY_ID = query('receipts-by-id', (db, $: { id: string }) =>
  db
    .selectFrom('Receipt')
    .select(SHOWN_COLUMNS)
    .where('id', '=', $.id)
    .orderBy((eb) => eb('origin', '=', 'receipt'))
    .limit(3),
);

const BY_IDS = query('receipts-of-merchant', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .selectFrom('Receipt')
    .select(SHOWN_COLUMNS)
    .where('merchant', '=', $.merchant)
    .where('id', '=', sql<string>`any(${$.ids}::text[])`),
);

/** One receipt of a merchant; null if the merchant has no receipt with this id. */
export function findReceipt(db: Db, merchant: Wallet, id: string): Promise<ReceiptRow | null> {
  return db.one(ONE, { merchant, id });
}

/** A merchant's receipts with these ids, in one statement, by id. Unknown ids are omitted. */
export async function readReceipts(
  db: Db,
  merchant: Wallet,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReceiptRow>> {
  const rows = ids.length === 0 ? [] : await db.run(BY_IDS, { merchant, ids });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Like `findReceipt`, but refuses with `not_found`. */
export async function readReceipt(db: Db, merchant: Wallet, id: string): Promise<ReceiptRow> {
  const receipt = await findReceipt(db, merchant, id);
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
export async function findPortalReceipt(db: Db, id: string, merchant: Wallet | null): Promise<ReceiptRow | null> {
  if (merchant) return findReceipt(db, merchant, id);
  const rows = await db.run(BY_ID, { id });
  const [first, second] = rows;
  if (!first) return null;
  return first.origin !== 'receipt' || !second ? first : null;
}

/** Identifies a receipt. */
export interface ReceiptKey {
  readonly merchant: Wallet;
  readonly receiptId: string;
}
