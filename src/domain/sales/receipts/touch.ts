import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';

const TOUCH = query('receipt-touch', (db, $: { merchant: Wallet; receiptId: string }) =>
  db.insertInto('ReceiptTouch').values({ merchant: $.merchant, receiptId: $.receiptId }),
);

/** Rows are only added and deleted: an update of a row could hide a touch that is not committed yet. */
const TOUCHED = query('receipts-touched', (db, $: { most: number }) =>
  db.selectFrom('ReceiptTouch').select(['position', 'merchant', 'receiptId']).orderBy('position').limit($.most),
);

const FORGET = query('receipt-touches-forget', (db, $: { positions: readonly string[] }) =>
  db.deleteFrom('ReceiptTouch').where('position', '=', sql<string>`any(${$.positions}::bigint[])`),
);

type Touch = RowOf<typeof TOUCHED>;

/** Has the search read a receipt again. For changes that add no row to its history: any row of it does the same. */
export async function touchReceipt(uow: UnitOfWork, merchant: Wallet, receiptId: string): Promise<void> {
  await uow.run(TOUCH, { merchant, receiptId });
}

/** The oldest touches, at most `most`. */
export const readTouches = (statements: Db, most: number): Promise<Touch[]> => statements.run(TOUCHED, { most });

/** Deletes touches once the search has read their receipts. */
export async function forgetTouches(statements: Db, touches: readonly Touch[]): Promise<void> {
  if (touches.length > 0) await statements.run(FORGET, { positions: touches.map(({ position }) => String(position)) });
}
