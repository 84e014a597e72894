import type { Wallet } from '../../../base/core/wallet.ts';
import { type KeyColumns, lateralQuery, type RowOf } from '../../../base/platform/postgres/query.ts';
import { paidAtOf } from '../../sales/receipts/paid-at.ts';
import type { LineItem } from '../../sales/receipts/receipt.entity.ts';
import { byPosition, columnOf, type RowSet } from './column.ts';

const LINES = lateralQuery(
  'export-lines',
  ['id'],
  (db, key: KeyColumns<{ id: string }>, $: { merchant: Wallet }) =>
    db
      .selectFrom('Receipt as r')
      .select([
        'r.id',
        'r.transactionId',
        'r.createdAt',
        'r.closedAt',
        'r.transactionTimestamp',
        'r.status',
        'r.paidToken',
      ])
      .select(['r.currency', 'r.lineItems', 'r.pricing'])
      .where('r.merchant', '=', $.merchant)
      .where('r.id', '=', key.id)
      .limit(1),
  { replica: true },
);

interface Row {
  readonly receipt: RowOf<typeof LINES>;
  readonly line: LineItem;
  /** From 1. */
  readonly position: number;
  /** In the currency of the receipt. */
  readonly ownCents: number;
}

const column = columnOf<Row>();

/** One row per line of a receipt, in the order of its lines. */
export const lineRows: RowSet<Row> = {
  // A receipt may have 500 lines.
  receipts: 50,
  columns: [
    column('receiptId', 'text', 'The id of the receipt.', ({ receipt }) => receipt.id),
    column('transactionId', 'text', 'The merchant’s own reference.', ({ receipt }) => receipt.transactionId),
    column('createdAt', 'time', 'When the receipt was created.', ({ receipt }) => receipt.createdAt),
    column('paidAt', 'time', 'When it was paid, or completed without a payment.', ({ receipt }) => paidAtOf(receipt)),
    column('status', 'word', 'The state of its money, as `Receipt.status`.', ({ receipt }) => receipt.status),
    column('line', 'count', 'The position of the line in its receipt, from 1.', ({ position }) => position),
    column('label', 'text', 'The text of the line. Tax and processing fee are lines too.', ({ line }) => line.label),
    column('sku', 'text', 'The SKU of the item, if the line has one.', ({ line }) => line.sku ?? null),
    column('itemId', 'text', 'The inventory item, if the line has one.', ({ line }) => line.itemId ?? null),
    column('qty', 'count', 'The quantity, if the line has one.', ({ line }) => line.qty ?? null),
    column('currency', 'word', 'The currency of `amount`.', ({ receipt }) => receipt.currency),
    column('amount', 'amount', 'Unit price × quantity in `currency`.', ({ ownCents }) => ownCents),
    column(
      'amountUsd',
      'amount',
      'The same in US dollars. The lines add up to the total.',
      (row) => row.line.priceCents,
    ),
  ],
  async read({ sql }, merchant, ids) {
    const receipts = byPosition(await sql.run(LINES, { id: ids, merchant }));
    return receipts.flatMap((receipt) =>
      receipt.lineItems.map((line, i) => ({
        receipt,
        line,
        position: i + 1,
        ownCents: receipt.pricing?.originalLineItems[i]?.amountCents ?? line.priceCents,
      })),
    );
  },
};
