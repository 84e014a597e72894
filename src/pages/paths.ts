import type { ReceiptRow } from '../receipts/read.ts';

type Named = Pick<ReceiptRow, 'id' | 'merchant'>;

const path = ({ id, merchant }: Named, below: string) =>
  `/portal/${encodeURIComponent(id)}${below}?${new URLSearchParams({ recipient: merchant })}`;

/** Where a receipt is paid. */
export const portalPath = (receipt: Named): string => path(receipt, '');

/** Where a paid receipt is printed. */
export const receiptPath = (receipt: Named): string => path(receipt, '/receipt');

/** Where the script of a receipt's order is served, for the frame of its payment page. */
export const afterPaymentPath = (receipt: Named): string => path(receipt, '/after-payment');
