import { type Caller, limitedTo, merchantOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';

/** The key of a receipt. */
interface ReceiptKey {
  readonly merchant: Wallet;
  readonly receiptId: string;
}

/**
 * The receipt that a caller names. A buyer's page may only name its own; any other receipt is refused with `forbidden`.
 * Fields with the guard `receipts:own` use `readableReceipt` instead.
 */
export function ownReceipt(caller: Caller, receiptId: string): ReceiptKey {
  if (caller.kind === 'buyer' && caller.receiptId !== receiptId) {
    throw forbid('page_token_limited', 'This page is for another receipt');
  }
  return { merchant: merchantOf(caller), receiptId };
}

const CREATED = query('receipt-created-by', (db, $: ReceiptKey & { wallet: Wallet }) =>
  db
    .selectFrom('Receipt')
    .select('id')
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.receiptId)
    .where('createdBy', '=', $.wallet),
);

/**
 * The same for reading. A session without `receipts:read` reads only the receipts that its wallet created; any other
 * one is refused with `not_found`, like an unknown one.
 */
export function readableReceipt(
  { db, caller }: Pick<Deps, 'db'> & { readonly caller: Caller },
  receiptId: string,
): ReceiptKey | Promise<ReceiptKey> {
  const own = ownReceipt(caller, receiptId);
  const wallet = limitedTo(caller);
  if (wallet === null) return own;
  return db.run(CREATED, { ...own, wallet }).then((rows) => {
    if (rows.length === 0) throw refuse('not_found', 'Receipt not found');
    return own;
  });
}
