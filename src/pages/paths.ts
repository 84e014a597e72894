import type { ReceiptRow } from '../receipts/read.ts';

type Named = Pick<ReceiptRow, 'id' | 'merchant'>;

/** The query of a receipt's pages. `key` is the `k` that the page was opened with; null where it came without. */
function path({ id, merchant }: Named, key: string | null, below: string): string {
  const query = new URLSearchParams({ recipient: merchant });
  if (key !== null) query.set('k', key);
  return `/portal/${encodeURIComponent(id)}${below}?${query}`;
}

/** Where a receipt is paid. */
export const portalPath = (receipt: Named, key: string | null): string => path(receipt, key, '');

/** Where a paid receipt is printed. */
export const receiptPath = (receipt: Named, key: string | null): string => path(receipt, key, '/receipt');

/** Where the script of a receipt's order is served, for the frame of its payment page. */
export const afterPaymentPath = (receipt: Named, key: string | null): string => path(receipt, key, '/after-payment');
