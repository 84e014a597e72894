import { displayOwed, readShares, type ShareView } from '../../settlement/shares/share-view.ts';
import { columnOf, type RowSet } from './column.ts';

interface Row extends ShareView {
  /** In whole tokens; null until it is known, and for a token that the server no longer supports. */
  readonly display: string | null;
}

/** The state of a share. */
function statusOf({ owed, settledAt }: ShareView): string {
  if (settledAt !== null) return 'released';
  return owed === null ? 'pending' : 'due';
}

const column = columnOf<Row>();

/** One row per recipient of a receipt's payment. */
export const payoutRows: RowSet<Row> = {
  receipts: 500,
  columns: [
    column('receiptId', 'text', 'The id of the receipt.', (share) => share.receiptId),
    column('recipient', 'word', 'The wallet that receives the share.', ({ payee }) => payee),
    column('sharesBps', 'count', 'The share in basis points.', (share) => share.sharesBps),
    column('status', 'word', '`pending` until the payment is final, `due`, or `released`.', statusOf),
    column('amount', 'decimal', 'The amount owed, in whole tokens.', ({ display }) => display),
    column('amountReleased', 'decimal', 'What of it is released, in whole tokens.', (share) =>
      share.settledAt === null ? '0' : share.display,
    ),
    column('token', 'word', 'The token of both amounts.', ({ token }) => token),
    column('split', 'word', 'The split contract that pays it.', ({ split }) => split),
    column('settledAt', 'time', 'When the chain showed that the share was released.', (share) => share.settledAt),
    column(
      'transactionHash',
      'word',
      'The transaction of the release, if the server sent it.',
      (share) => share.transactionHash,
    ),
    column('chainId', 'count', 'The chain of the split and the token (EIP-155).', ({ chainId }) => chainId),
  ],
  async read(deps, merchant, ids) {
    const shares = await readShares(deps, merchant, ids);
    return shares.flat().map((share) => ({ ...share, display: displayOwed(deps, share) }));
  },
};
