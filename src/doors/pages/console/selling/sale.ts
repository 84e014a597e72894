import type { ReceiptStatus } from '../../../../domain/sales/receipts/lifecycle.ts';
import { useRead } from '../client/ask.ts';
import { useStream } from '../client/stream.ts';
import { ReadSale, type SaleFragment, SaleStatus } from '../generated/selling.ts';

/** Where a sale is, as the seller sees it. */
export type SaleStage = 'waiting' | 'seen' | 'paid' | 'short' | 'ended';

const STAGES: Readonly<Record<ReceiptStatus, SaleStage>> = {
  generated: 'waiting',
  pending: 'waiting',
  tx_mined: 'seen',
  paid: 'paid',
  completed: 'paid',
  refunded: 'paid',
  tx_mismatch: 'short',
  failed: 'ended',
};

/** The stage of a sale, from the status of its receipt. A part of a payment that was returned is no payment. */
export const saleStage = ({ status, paidAt }: Pick<SaleFragment, 'status' | 'paidAt'>): SaleStage =>
  status === 'refunded' && paidAt === null ? 'ended' : STAGES[status];

/** A sale as it moves. */
export function useSale(receiptId: string) {
  const { data, problem, again } = useRead(ReadSale, { receiptId });
  useStream(SaleStatus, { receiptId }, { onOpen: again, onData: again });
  return { sale: data?.receipt, problem, again };
}
