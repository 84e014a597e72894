import Big from 'big.js';
import { type Kysely, sql } from 'kysely';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Database } from '../platform/database.ts';
import { query } from '../platform/query.ts';
import type { Sql } from '../platform/sql.ts';
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
  /** The block of the first payment on the chain of the latest one: no refund is older. Null if nothing was paid. */
  readonly firstBlock: number | null;
}

type ReceiptKey = Pick<Receipt, 'merchant' | 'id'>;

/** Reads the account of a receipt: of a locked one in its unit of work. */
export async function readAccount(from: UnitOfWork | Sql, { merchant, id }: ReceiptKey): Promise<Account> {
  const [row] = await from.run(ACCOUNT, { merchant, receiptId: id });
  const { paid, first, provenCents, openCents } = row!;
  return { paidCents: centsOf(paid ?? '0'), refundedCents: provenCents, openCents, firstBlock: first };
}

/**
 * The sum of transfers `t` in US dollars. An exact payment counts as the amount of its quote `q` without the tag; any
 * other transfer counts at its value. Otherwise, the tags of a payment in parts would add up to whole cents that are
 * not part of the price.
 */
export const paidUsd = sql<string | null>`
  sum(case when t.exact then coalesce(q.usd, t.usd) else t.usd end::numeric)::text`;

/** The transfers `t` of a merchant that pay a receipt, with their quotes `q`. */
export const payments = (db: Kysely<Database>, merchant: Wallet) =>
  db
    .selectFrom('Transfer as t')
    .leftJoin('Quote as q', (join) =>
      join.on('t.exact', '=', true).onRef('q.merchant', '=', 't.merchant').onRef('q.id', '=', 't.quoteId'),
    )
    .where('t.merchant', '=', merchant)
    .where('t.canonical', '=', true);

/** The first block of the transfers `t` on the chain where a refund is expected: the one of the latest payment. */
const firstBlock = sql<number | null>`min(t.block_number) filter (where t.chain_id = coalesce(
  (select r.payment_chain_id from receipts r where r.merchant = t.merchant and r.id = t.receipt_id), t.chain_id))`;

const ACCOUNT = query(
  'refund-account',
  (db, $: { merchant: Wallet; receiptId: string }) =>
    db
      .selectFrom(
        payments(db, $.merchant)
          .where('t.receiptId', '=', $.receiptId)
          .select([paidUsd.as('paid'), firstBlock.as('first')])
          .as('t'),
      )
      .innerJoin(
        db
          .selectFrom('Refund')
          .where('merchant', '=', $.merchant)
          .where('receiptId', '=', $.receiptId)
          .select([
            sql<number>`coalesce(sum(proven_cents), 0)::int8`.as('proven'),
            sql<number>`coalesce(sum(usd_cents - proven_cents), 0)::int8`.as('open'),
          ])
          .as('r'),
        (join) => join.onTrue(),
      )
      .select(['t.paid', 't.first', 'r.proven as provenCents', 'r.open as openCents']),
  { computed: { paid: 'text', first: 'int8', provenCents: 'int8', openCents: 'int8' } },
);

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

/** Whether a receipt has received money that can be sent back. */
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
