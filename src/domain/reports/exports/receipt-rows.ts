import { type Kysely, sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { type KeyColumns, lateralQuery, query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { paidAmount } from '../../payments/paying/paid-amount.ts';
import { receivedCents } from '../../payments/refunds/account.ts';
import { type Revenue, revenueOf, type Sums, sumsOf } from '../../payments/refunds/revenue.ts';
import { RECORD_STATUS } from '../../sales/receipts/lifecycle.ts';
import { paidAtOf } from '../../sales/receipts/paid-at.ts';
import { labelledCents, PROCESSING_FEE, TAX } from '../../sales/receipts/processing-fee.ts';
import { type Bounds, boundsOf, type ReceiptOrder, within } from '../receipt-search/order.ts';
import { byPosition, columnOf, type ExportDeps, type RowSet } from './column.ts';

const receipts = (db: Kysely<Database>) =>
  db
    .selectFrom('Receipt as r')
    .select(['r.id', 'r.createdAt', 'r.updatedAt', 'r.closedAt', 'r.expiresAt', 'r.transactionTimestamp'])
    .select(['r.status', 'r.origin', 'r.currency', 'r.totalCents', 'r.refundedCents', 'r.acceptedUsd'])
    .select(['r.jurisdictionCode', 'r.taxRate', 'r.paidToken', 'r.paidAmount', 'r.paymentChainId'])
    .select(['r.transactionHash', 'r.transactionId', 'r.buyerWallet'])
    .select(({ ref }) => [
      sql<string | null>`${ref('r.billingAddress')}->>'email'`.as('email'),
      sql<number | null>`(${ref('r.pricing')}->>'originalTotalCents')::int8`.as('ownCents'),
      sql<string | null>`${ref('r.pricing')}->>'usdPerUnit'`.as('rate'),
      labelledCents(ref('r.lineItems'), TAX).as('tax'),
      labelledCents(ref('r.lineItems'), PROCESSING_FEE).as('fee'),
      receivedCents.as('received'),
      sql<number>`(select count(*) from transfers t
        where t.merchant = r.merchant and t.receipt_id = r.id and t.canonical)`.as('payments'),
    ]);

const OPTIONS = {
  replica: true,
  computed: {
    email: 'text',
    ownCents: 'int8',
    rate: 'text',
    received: 'int8',
    payments: 'int8',
    tax: 'int8',
    fee: 'int8',
  },
} as const;

const RECEIPTS = lateralQuery(
  'export-receipts',
  ['id'],
  (db, key: KeyColumns<{ id: string }>, $: { merchant: Wallet }) =>
    receipts(db).where('r.merchant', '=', $.merchant).where('r.id', '=', key.id).limit(1),
  OPTIONS,
);

/** The next receipts of a merchant in the order of creation. */
const nextReceipts = (direction: ReceiptOrder['direction']) =>
  query(
    `export-receipts-${direction}`,
    (db, $: { merchant: Wallet; limit: number } & Bounds) =>
      receipts(db)
        .where('r.merchant', '=', $.merchant)
        .where(within('r.created_at', 'r.id', $))
        .orderBy('r.createdAt', direction)
        .orderBy('r.id', direction)
        .limit($.limit),
    OPTIONS,
  );
const NEXT_RECEIPTS = { asc: nextReceipts('asc'), desc: nextReceipts('desc') } as const;

type Read = RowOf<typeof NEXT_RECEIPTS.asc>;
type Row = Read & {
  /** The only payment, in whole tokens. */
  readonly paid: string | null;
  /** Null if it never was paid. */
  readonly revenue: (Sums & Revenue) | null;
};

function withMoney(deps: ExportDeps, row: Read): Row {
  const sums = sumsOf(row);
  return Object.assign(row, {
    paid: row.payments > 1 ? null : (paidAmount(deps, row)?.display ?? null),
    revenue: paidAtOf(row) === null ? null : { ...sums, ...revenueOf(sums) },
  });
}

const column = columnOf<Row>();

/** One row per receipt. */
export const receiptRows: RowSet<Row> = {
  receipts: 1_000,
  columns: [
    column('receiptId', 'text', 'The id of the receipt.', ({ id }) => id),
    column('transactionId', 'text', 'The merchant’s own reference.', (row) => row.transactionId),
    column('createdAt', 'time', 'When the receipt was created.', (row) => row.createdAt),
    column('paidAt', 'time', 'When it was paid, or completed without a payment.', paidAtOf),
    column('updatedAt', 'time', 'When it was last changed.', (row) => row.updatedAt),
    column('expiresAt', 'time', 'When it ends if it is still unpaid.', (row) => row.expiresAt),
    column('status', 'word', 'The state of its money, as `Receipt.status`.', ({ status }) => status),
    column('recordStatus', 'word', 'The status as `GET /api/receipts` shows it.', (row) => RECORD_STATUS[row.status]),
    column('origin', 'word', '`order`, `receipt`, `terminal` or `charge`.', ({ origin }) => origin),
    column('currency', 'word', 'The currency of `total`.', ({ currency }) => currency),
    column('total', 'amount', 'The total in `currency`.', (row) => row.ownCents ?? row.totalCents),
    column('usdPerUnit', 'decimal', 'US dollars for one unit of `currency`, if it is not USD.', ({ rate }) => rate),
    column('totalUsd', 'amount', 'The total in US dollars.', (row) => row.totalCents),
    column('taxUsd', 'amount', 'The tax in it, if it has a line for tax.', ({ tax }) => tax),
    column('feeUsd', 'amount', 'The processing fee in it, if it has a line for it.', ({ fee }) => fee),
    column('refundedUsd', 'amount', 'What is refunded by now.', (row) => row.refundedCents),
    column('missingUsd', 'decimal', 'What was accepted as missing from its payment.', (row) => row.acceptedUsd),
    column('jurisdictionCode', 'text', 'The tax jurisdiction.', (row) => row.jurisdictionCode),
    column('taxRate', 'decimal', 'The effective tax rate, 0 to 1.', (row) => row.taxRate),
    column(
      'paidAmount',
      'decimal',
      'The amount paid, in whole tokens; empty if there are several payments, which `rows=payments` lists.',
      ({ paid }) => paid,
    ),
    column(
      'paidToken',
      'word',
      'The token of `paidAmount`; of several payments that of the last.',
      (row) => row.paidToken,
    ),
    column('transactionHash', 'word', 'The payment transaction; of several the last.', (row) => row.transactionHash),
    column('transactionTimestamp', 'time', 'The time of its block.', (row) => row.transactionTimestamp),
    column('buyerWallet', 'word', 'The wallet that paid.', (row) => row.buyerWallet),
    column('buyerEmail', 'text', 'The buyer’s e-mail address.', ({ email }) => email),
    column('chainId', 'count', 'The chain of `transactionHash` (EIP-155).', (row) => row.paymentChainId),
    column('payments', 'count', 'The number of its payments.', (row) => row.payments),
    column('receivedUsd', 'amount', 'What was received for it, in whole cents.', ({ received }) => received),
    column(
      'surplusUsd',
      'amount',
      'What of it is beyond the total, if it was paid.',
      (row) => row.revenue?.surplusCents ?? null,
    ),
    column(
      'shortfallUsd',
      'amount',
      'What is missing of the total and was accepted, if it was paid.',
      (row) => row.revenue?.shortfallCents ?? null,
    ),
    column(
      'refundedRevenueUsd',
      'amount',
      'What of `refundedUsd` was no surplus, if it was paid.',
      (row) => row.revenue?.refundedRevenueCents ?? null,
    ),
    column(
      'netUsd',
      'amount',
      'What remains of its sale by now, if it was paid: the total without shortfall and refunded revenue.',
      (row) => row.revenue?.netCents ?? null,
    ),
  ],
  async read(deps, merchant, ids) {
    return byPosition(await deps.db.run(RECEIPTS, { id: ids, merchant })).map((row) => withMoney(deps, row));
  },
  async next(deps, { merchant, direction, filter, size }, last) {
    const bounds = boundsOf({ field: 'createdAt', direction }, filter, { after: last && [last.createdAt, last.id] });
    const rows = await deps.db.run(NEXT_RECEIPTS[direction], { merchant, limit: size, ...bounds });
    return rows.map((row) => withMoney(deps, row));
  },
};
