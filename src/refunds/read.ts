import { type Kysely, sql } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import type { Database } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import { query, type RowOf } from '../platform/query.ts';
import { centsOf, paidUsd, payments } from './account.ts';

/** A refund as a plain row. Money in cents, times in epoch ms. */
export type RefundRow = RowOf<typeof REFUNDS>;

/** Whether all proving transfers came from the merchant's own wallet; null if nothing is proven. */
const senderVerified = (db: Kysely<Database>) =>
  db
    .selectFrom('RefundTransfer as t')
    .select(sql<boolean | null>`bool_and(t.sender = r.merchant)`.as('verified'))
    .where(sql<boolean>`t.merchant = r.merchant`)
    .where(sql<boolean>`t.receipt_id = r.receipt_id`)
    .where(sql<boolean>`t.transaction_hash = any(r.transaction_hashes)`);

const REFUNDS = query(
  'refunds-of-receipts',
  (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
    db
      .selectFrom('Refund as r')
      .select(['r.receiptId', 'r.id', 'r.state', 'r.usdCents', 'r.provenCents', 'r.buyer', 'r.items'])
      .select(['r.transactionHashes', 'r.createdAt', 'r.refundedAt'])
      .select(senderVerified(db).as('senderVerified'))
      .where('r.merchant', '=', $.merchant)
      .where('r.receiptId', '=', (eb) => eb.fn.any(eb.val($.receiptIds)))
      .orderBy('r.receiptId')
      .orderBy('r.createdAt')
      .orderBy('r.id'),
  { computed: { senderVerified: 'bool' } },
);

const PAID_OF = query(
  'refunds-paid',
  (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
    payments(db, $.merchant)
      .where('t.receiptId', '=', (eb) => eb.fn.any(eb.val($.receiptIds)))
      .select(['t.receiptId', paidUsd.as('usd')])
      .groupBy('t.receiptId'),
  { computed: { usd: 'text' } },
);

/** The refunds of each receipt, oldest first; in the order of the receipts. */
export async function readRefundsOf(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<RefundRow[][]> {
  const rows = await deps.sql.run(REFUNDS, { merchant, receiptIds });
  const refunds = Map.groupBy(rows, ({ receiptId }) => receiptId);
  return receiptIds.map((id) => refunds.get(id) ?? []);
}

/** The amount received for each receipt, in whole cents; in the order of the receipts. */
export async function readPaidOf(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<number[]> {
  const rows = await deps.sql.run(PAID_OF, { merchant, receiptIds });
  const paid = new Map(rows.map(({ receiptId, usd }) => [receiptId, centsOf(usd ?? '0')]));
  return receiptIds.map((id) => paid.get(id) ?? 0);
}
