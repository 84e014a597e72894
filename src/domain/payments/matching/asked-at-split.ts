import type { Kysely } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceipt } from '../../sales/receipts/record-change.ts';
import { quoteAt, quoteOfAmount } from '../quotes/store.ts';
import type { Asked } from '../transfers/core/match.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { selectTransfers } from '../transfers/transfers.ts';

// Version 0.1 asked buyers to pay at the merchant's split: a quoted amount that was unique there, an authorization that
// the buyer signed, or the delivery of a card session. Such money is found as before until its receipt has ended and
// its late hours are over. Delete this file, and the columns of version 0.1, once this finds no row:
//
//   select from quotes q join splits s on (s.chain_id, s.address) = (q.chain_id, q.pay_to)
//     join receipts r on (r.merchant, r.id) = (q.merchant, q.receipt_id)
//    where r.status in ('generated', 'pending', 'tx_mismatch', 'failed')
//      and coalesce(r.expires_at, q.expires_at) > extract(epoch from now() - interval '30 days') * 1000

const VOUCHED = query('payments-vouched-receipts', (db, $: TransferRow) =>
  db
    .selectFrom('SubmittedTransaction')
    .select('receiptId')
    .where('chainId', '=', $.chainId)
    .where('transactionHash', '=', $.transactionHash)
    .where('merchant', '=', $.merchant)
    .where('vouchedBy', 'is not', null)
    .limit(2),
);

/**
 * The receipt that version 0.1 asked to be paid by a transfer to a split, locked: by its authorization, by its amount,
 * or by its card session. Null if there is none, if it was deleted, or if several were asked for the same.
 *
 * @param authorizedFor the receipt of the authorization that the transfer carried out; null if it carried out none
 */
export async function readAsked(
  uow: UnitOfWork,
  transfer: TransferRow,
  authorizedFor: string | null,
): Promise<Asked<Receipt> | null> {
  const { merchant } = transfer;
  const [id, ...others] = authorizedFor !== null ? [authorizedFor] : await namedBy(uow, transfer);
  const receipt = id === undefined || others.length > 0 ? null : await lockReceipt(uow, merchant, id);
  return receipt && { receipt, price: await quoteAt(uow, receipt, transfer) };
}

async function namedBy(uow: UnitOfWork, transfer: TransferRow): Promise<readonly string[]> {
  const quote = await quoteOfAmount(uow, transfer, transfer.amount);
  if (quote) return [quote.receiptId, ...quote.earlier];
  const vouched = await uow.run(VOUCHED, transfer);
  return vouched.map(({ receiptId }) => receiptId);
}

/** The unmatched transfers to a split in an amount that version 0.1 quoted for a receipt. */
export const selectAsked = (
  db: Kysely<Database>,
  { merchant, id }: { readonly merchant: Wallet; readonly id: string },
) =>
  selectTransfers(db)
    .innerJoin('Quote as q', (join) =>
      join
        .onRef('q.merchant', '=', 'Transfer.merchant')
        .onRef('q.chainId', '=', 'Transfer.chainId')
        .onRef('q.payTo', '=', 'Transfer.payTo')
        .onRef('q.token', '=', 'Transfer.token')
        .onRef('q.amount', '=', 'Transfer.amount'),
    )
    .where('q.merchant', '=', merchant)
    .where('q.receiptId', '=', id)
    .where('Transfer.split', 'is', null)
    .where('Transfer.receiptId', 'is', null);
