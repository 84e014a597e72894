import type { Wallet } from '../../../base/core/wallet.ts';
import { type KeyColumns, lateralQuery, type RowOf } from '../../../base/platform/postgres/query.ts';
import { paidAtOf } from '../../sales/receipts/paid-at.ts';
import type { LineItem } from '../../sales/receipts/receipt.entity.ts';
import { displayOwed, readShares, type ShareView } from '../../settlement/shares/share-view.ts';
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

interface LineRow {
  readonly receipt: RowOf<typeof LINES>;
  readonly line: LineItem;
  /** From 1. */
  readonly position: number;
  /** In the currency of the receipt. */
  readonly ownCents: number;
}

const lineColumn = columnOf<LineRow>();

/** One row per line of a receipt, in the order of its lines. */
export const lineRows: RowSet<LineRow> = {
  // A receipt may have 500 lines.
  receipts: 50,
  columns: [
    lineColumn('receiptId', 'text', 'The id of the receipt.', ({ receipt }) => receipt.id),
    lineColumn('transactionId', 'text', 'The merchant’s own reference.', ({ receipt }) => receipt.transactionId),
    lineColumn('createdAt', 'time', 'When the receipt was created.', ({ receipt }) => receipt.createdAt),
    lineColumn('paidAt', 'time', 'When it was paid, or completed without a payment.', ({ receipt }) =>
      paidAtOf(receipt),
    ),
    lineColumn('status', 'word', 'The state of its money, as `Receipt.status`.', ({ receipt }) => receipt.status),
    lineColumn('line', 'count', 'The position of the line in its receipt, from 1.', ({ position }) => position),
    lineColumn(
      'label',
      'text',
      'The text of the line. Tax and processing fee are lines too.',
      ({ line }) => line.label,
    ),
    lineColumn('sku', 'text', 'The SKU of the item, if the line has one.', ({ line }) => line.sku ?? null),
    lineColumn('itemId', 'text', 'The inventory item, if the line has one.', ({ line }) => line.itemId ?? null),
    lineColumn('qty', 'count', 'The quantity, if the line has one.', ({ line }) => line.qty ?? null),
    lineColumn('currency', 'word', 'The currency of `amount`.', ({ receipt }) => receipt.currency),
    lineColumn('amount', 'amount', 'Unit price × quantity in `currency`.', ({ ownCents }) => ownCents),
    lineColumn(
      'amountUsd',
      'amount',
      'The same in US dollars. The lines add up to the total.',
      (row) => row.line.priceCents,
    ),
  ],
  async read({ db }, merchant, ids) {
    const receipts = byPosition(await db.run(LINES, { id: ids, merchant }));
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

interface PayoutRow extends ShareView {
  /** In whole tokens; null until it is known, and for a token that the server no longer supports. */
  readonly display: string | null;
}

/** The state of a share. */
function statusOf({ owed, settledAt }: ShareView): string {
  if (settledAt !== null) return 'released';
  return owed === null ? 'pending' : 'due';
}

const payoutColumn = columnOf<PayoutRow>();

/** One row per recipient of a receipt's payment. */
export const payoutRows: RowSet<PayoutRow> = {
  receipts: 500,
  columns: [
    payoutColumn('receiptId', 'text', 'The id of the receipt.', (share) => share.receiptId),
    payoutColumn('recipient', 'word', 'The wallet that receives the share.', ({ payee }) => payee),
    payoutColumn('sharesBps', 'count', 'The share in basis points.', (share) => share.sharesBps),
    payoutColumn('status', 'word', '`pending` until the payment is final, `due`, or `released`.', statusOf),
    payoutColumn('amount', 'decimal', 'The amount owed, in whole tokens.', ({ display }) => display),
    payoutColumn('amountReleased', 'decimal', 'What of it is released, in whole tokens.', (share) =>
      share.settledAt === null ? '0' : share.display,
    ),
    payoutColumn('token', 'word', 'The token of both amounts.', ({ token }) => token),
    payoutColumn('split', 'word', 'The split contract that pays it.', ({ split }) => split),
    payoutColumn('settledAt', 'time', 'When the chain showed that the share was released.', (share) => share.settledAt),
    payoutColumn(
      'transactionHash',
      'word',
      'The transaction of the release, if the server sent it.',
      (share) => share.transactionHash,
    ),
    payoutColumn('chainId', 'count', 'The chain of the split and the token (EIP-155).', ({ chainId }) => chainId),
  ],
  async read(deps, merchant, ids) {
    const shares = await readShares(deps.db, merchant, ids);
    return shares.flat().map((share) => ({ ...share, display: displayOwed(deps, share) }));
  },
};
