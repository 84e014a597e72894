import Big from 'big.js';
import { refuse } from '../core/errors.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { ReceiptStatus } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';

/** What of a receipt's money can go back; all in cents. */
export interface Account {
  /** What arrived for it, whole cents: the total, with a surplus; or what came of too little. */
  readonly paidCents: number;
  /** What transactions have proven to be back. */
  readonly refundedCents: number;
  /** What is requested and not proven. */
  readonly openCents: number;
  /** The block of the first payment: no refund is older. Null where nothing was paid. */
  readonly firstBlock: number | null;
}

/** Reads the account of a locked receipt. */
export async function readAccount(uow: UnitOfWork, receipt: Pick<Receipt, 'merchant' | 'id'>): Promise<Account> {
  const [row] = await uow.sql<Record<'paid' | 'first' | 'proven' | 'open', string | null>>(ACCOUNT, [
    receipt.merchant,
    receipt.id,
  ]);
  return {
    paidCents: centsOf(row!.paid ?? '0'),
    refundedCents: Number(row!.proven),
    openCents: Number(row!.open),
    firstBlock: row!.first === null ? null : Number(row!.first),
  };
}

/**
 * What transfers `t` were paid for, in dollars: an exact payment what its quote `q` asked before the tag, which is nobody's; any other what it was worth.
 * The tags of a payment in parts would add up to cents that nobody owes.
 */
export const PAID = `sum(case when t.exact then coalesce(q.usd, t.usd) else t.usd end::numeric)::text`;
export const PAYMENTS = 'transfers t left join quotes q on t.exact and q.merchant = t.merchant and q.id = t.quote_id';

const ACCOUNT = `
  select t.paid, t.first, r.proven, r.open
    from (select ${PAID} as paid, min(t.block_number)::text as first
            from ${PAYMENTS} where t.merchant = $1 and t.receipt_id = $2 and t.canonical) t,
         (select coalesce(sum(proven_cents), 0)::text as proven, coalesce(sum(usd_cents - proven_cents), 0)::text as open
            from refunds where merchant = $1 and receipt_id = $2) r`;

/** Dollars (decimal text) in whole cents; what is below a cent is nobody's. */
export const centsOf = (usd: string): number => new Big(usd).times(100).round(0, Big.roundDown).toNumber();

/** What may still be asked back, beside what is. */
export const requestable = ({ paidCents, refundedCents, openCents }: Account): number =>
  Math.max(0, paidCents - refundedCents - openCents);

/** What may still be proven: open requests are proven first, so they do not count. */
export const provable = ({ paidCents, refundedCents }: Account): number => Math.max(0, paidCents - refundedCents);

/** Money that arrived, and is final. */
const REFUNDABLE: readonly ReceiptStatus[] = ['paid', 'completed', 'tx_mismatch'];

export const isRefundable = ({ status }: Pick<Receipt, 'status'>): boolean => REFUNDABLE.includes(status);

/** Refuses with `invalid_input` where there is nothing on the receipt that could go back. */
export function requireRefundable({ id, status }: Pick<Receipt, 'id' | 'status'>, { paidCents }: Account): void {
  const no = (sentence: string) => refuse('invalid_input', `Receipt ${id} ${sentence}`, { field: 'receiptId' });
  if (status === 'refunded') throw no('is refunded: everything that was paid has gone back');
  if (status === 'tx_mined') throw no('cannot be refunded before its payment has its confirmations');
  if (!isRefundable({ status })) throw no(`is ${status}: nothing was paid that could go back`);
  if (paidCents === 0) throw no('has no payment that could go back');
}

/** Refuses with `invalid_usd` for more than there is. */
export function requireWithin(usdCents: number, mostCents: number, account: Account): void {
  if (usdCents <= mostCents) return;
  const [most, paid, back, open] = [mostCents, account.paidCents, account.refundedCents, account.openCents].map(inUsd);
  throw refuse(
    'invalid_usd',
    `usd must be at most ${most}: ${paid} was paid, ${back} is refunded and ${open} requested`,
    { field: 'usd', refundableUsd: mostCents / 100 },
  );
}

const inUsd = (cents: number): string => (cents / 100).toFixed(2);
