import Big from 'big.js';
import { refuse } from '../core/errors.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { ReceiptStatus } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';

/** The refundable money of a receipt; all in cents. */
export interface Account {
  /** What was received for the receipt, in whole cents: the total and any surplus, or an underpayment. */
  readonly paidCents: number;
  /** What transactions have proven to be refunded. */
  readonly refundedCents: number;
  /** What is requested and not proven yet. */
  readonly openCents: number;
  /** The block of the first payment: no refund is older. Null if nothing was paid. */
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
 * The sum of transfers `t` in US dollars. An exact payment counts as the amount of its quote `q` without the tag; any
 * other transfer counts at its value. Otherwise, the tags of a payment in parts would add up to whole cents that are
 * not part of the price.
 */
export const PAID = `sum(case when t.exact then coalesce(q.usd, t.usd) else t.usd end::numeric)::text`;
export const PAYMENTS = 'transfers t left join quotes q on t.exact and q.merchant = t.merchant and q.id = t.quote_id';

const ACCOUNT = `
  select t.paid, t.first, r.proven, r.open
    from (select ${PAID} as paid, min(t.block_number)::text as first
            from ${PAYMENTS} where t.merchant = $1 and t.receipt_id = $2 and t.canonical) t,
         (select coalesce(sum(proven_cents), 0)::text as proven, coalesce(sum(usd_cents - proven_cents), 0)::text as open
            from refunds where merchant = $1 and receipt_id = $2) r`;

/** Dollars (decimal text) in whole cents, rounded down. */
export const centsOf = (usd: string): number => new Big(usd).times(100).round(0, Big.roundDown).toNumber();

/** The cents that may still be requested. */
export const requestable = ({ paidCents, refundedCents, openCents }: Account): number =>
  Math.max(0, paidCents - refundedCents - openCents);

/**
 * The cents that may still be proven. Open requests do not reduce them, because a proof fulfils open requests first.
 */
export const provable = ({ paidCents, refundedCents }: Account): number => Math.max(0, paidCents - refundedCents);

/** The statuses of a receipt with received and final money. */
const REFUNDABLE: readonly ReceiptStatus[] = ['paid', 'completed', 'tx_mismatch'];

export const isRefundable = ({ status }: Pick<Receipt, 'status'>): boolean => REFUNDABLE.includes(status);

/** Refuses with `invalid_input` if the receipt has nothing to refund. */
export function requireRefundable({ id, status }: Pick<Receipt, 'id' | 'status'>, { paidCents }: Account): void {
  const no = (sentence: string) => refuse('invalid_input', `Receipt ${id} ${sentence}`, { field: 'receiptId' });
  if (status === 'refunded') throw no('is refunded: the whole payment was returned');
  if (status === 'tx_mined') throw no('cannot be refunded before its payment has its confirmations');
  if (!isRefundable({ status })) throw no(`is ${status}: there is no payment to refund`);
  if (paidCents === 0) throw no('has no payment to refund');
}

/** Refuses an amount above the maximum with `invalid_usd`. */
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
