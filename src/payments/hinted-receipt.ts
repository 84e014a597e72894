import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { type ReceiptStatus, WAITING } from '../receipts/lifecycle.ts';
import type { TransferRow } from './transfers.ts';

/** A hint that names the transfer's transaction, with its backing. */
interface Hint {
  readonly receiptId: string;
  readonly status: ReceiptStatus;
  readonly vouched: boolean;
  /** Base units; null if the provider does not report the amount. */
  readonly vouchedAmount: string | null;
  /** Signed by the sender of the transfer. */
  readonly signed: boolean;
}

/** The maximum number of hints read per transaction; no batch payment covers more receipts. */
const HINTS_MAX = 200;

/**
 * The receipt that a transfer of an unexpected amount pays, by the hints at its transaction; null where it stays
 * unmatched. A hint is looked for first, by an index: most transfers have none, however many receipts wait for money.
 * In this order:
 *
 * 1. The receipt that a card provider vouches for. Of several in one transaction the amount decides. 2. The one receipt
 * that the transfer's sender has signed for. 3. The one receipt that an unsigned hint names, if it was quoted in this
 * token at this address and no other receipt of the merchant waits for money, in
 *    any token. Anyone who sees a payment page can submit a hint, so with two receipts waiting it proves nothing.
 */
export async function hintedReceipt(uow: Pick<UnitOfWork, 'sql'>, transfer: TransferRow): Promise<string | null> {
  const hints = await uow.sql<Hint>(
    `select s.receipt_id as "receiptId", r.status, s.vouched_by is not null as vouched, s.vouched_amount::text as "vouchedAmount",
            coalesce($4 = any(s.signed_by), false) as signed
       from submitted_transactions s join receipts r on r.merchant = s.merchant and r.id = s.receipt_id
      where s.chain_id = $2 and s.transaction_hash = $3 and s.merchant = $1
      order by vouched desc, signed desc limit ${HINTS_MAX}`,
    [transfer.merchant, transfer.chainId, transfer.transactionHash, transfer.sender],
  );
  if (hints.length === 0) return null;
  return (
    vouchedReceipt(hints, transfer) ??
    only(hints.filter(({ signed }) => signed)) ??
    (await soleWaiting(uow, hints, transfer))
  );
}

const only = (hints: readonly Hint[]): string | null => (hints.length === 1 ? hints[0]!.receiptId : null);

function vouchedReceipt(hints: readonly Hint[], { amount }: TransferRow): string | null {
  const vouched = hints.filter((hint) => hint.vouched);
  const exact = vouched.filter(
    ({ vouchedAmount }) => vouchedAmount !== null && BigInt(vouchedAmount) === BigInt(amount),
  );
  return only(exact.length > 0 ? exact : vouched);
}

async function soleWaiting(
  uow: Pick<UnitOfWork, 'sql'>,
  hints: readonly Hint[],
  transfer: TransferRow,
): Promise<string | null> {
  const receiptId = only(hints.filter(({ status }) => WAITING.includes(status)));
  if (receiptId === null) return null;
  const [sole] = await uow.sql(
    `select 1 where exists (
       select 1 from quotes where merchant = $1 and receipt_id = $2 and chain_id = $3 and pay_to = $4 and token = $5 and reserved_until is null
     ) and not exists (
       select 1 from quotes o join receipts r on r.merchant = o.merchant and r.id = o.receipt_id
        where o.merchant = $1 and o.receipt_id <> $2 and o.reserved_until is null and r.status = any($6)
     )`,
    [transfer.merchant, receiptId, transfer.chainId, transfer.payTo, transfer.token, WAITING],
  );
  return sole ? receiptId : null;
}
