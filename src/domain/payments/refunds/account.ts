import Big from 'big.js';
import { type Kysely, sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';

/** The refundable money of a receipt; all in cents. */
export interface Account {
  /** What was received for the receipt, in whole cents: the total and any surplus, or a part of it. */
  readonly paidCents: number;
  /** The part of it that has its confirmations. */
  readonly finalCents: number;
  /** What transactions have proven to be refunded. */
  readonly refundedCents: number;
  /** What is requested and not proven yet. */
  readonly openCents: number;
  /** The block of the first payment on each chain that paid, by chain id: no refund there is older. */
  readonly firstBlocks: Readonly<Record<number, number>>;
}

type ReceiptKey = Pick<Receipt, 'merchant' | 'id'>;

/** Reads the account of a receipt: of a locked one in its unit of work. */
export async function readAccount(from: UnitOfWork | Db, { merchant, id }: ReceiptKey): Promise<Account> {
  const [row] = await from.run(ACCOUNT, { merchant, receiptId: id });
  const { paid, final, firstBlocks, provenCents, openCents } = row!;
  return {
    ...{ paidCents: centsOf(paid ?? '0'), finalCents: centsOf(final ?? '0') },
    ...{ refundedCents: provenCents, openCents, firstBlocks: firstBlocks ?? {} },
  };
}

/** The sum of transfers `t` in US dollars. */
export const paidUsd = sql<string | null>`sum(t.usd::numeric)::text`;

/** The same of those that have their confirmations: what can be sent back. */
export const finalUsd = sql<string | null>`(sum(t.usd::numeric) filter (where t.confirmed_at is not null))::text`;

/** The whole cents that were received for the receipt `r`, within a statement. */
export const receivedCents = sql<number>`(
  select trunc(coalesce(${paidUsd}::numeric, 0) * 100)::int8
    from transfers t where t.merchant = r.merchant and t.receipt_id = r.id and t.canonical)`;

/** The whole cents that the receipt `r` holds, within a statement: what was received for it and is not refunded. */
export const heldCents = sql<number>`(${receivedCents} - r.refunded_cents)`;

/** The transfers `t` of a merchant that pay a receipt. */
export const payments = (db: Kysely<Database>, merchant: Wallet) =>
  db.selectFrom('Transfer as t').where('t.merchant', '=', merchant).where('t.canonical', '=', true);

const ACCOUNT = query(
  'refund-account',
  (db, $: { merchant: Wallet; receiptId: string }) =>
    db
      .selectFrom(
        payments(db, $.merchant)
          .where('t.receiptId', '=', $.receiptId)
          .select([paidUsd.as('paid'), finalUsd.as('final')])
          .as('t'),
      )
      .innerJoin(
        (eb) =>
          eb
            .selectFrom(
              payments(db, $.merchant)
                .where('t.receiptId', '=', $.receiptId)
                .groupBy('t.chainId')
                .select(['t.chainId as chain', (of) => of.fn.min('t.blockNumber').as('first')])
                .as('c'),
            )
            .select(sql<Record<number, number> | null>`jsonb_object_agg(c.chain, c.first)`.as('firstBlocks'))
            .as('b'),
        (join) => join.onTrue(),
      )
      .innerJoin(
        db
          .selectFrom('Refund')
          .where('merchant', '=', $.merchant)
          .where('receiptId', '=', $.receiptId)
          .select([
            sql<number>`coalesce(sum(proven_cents), 0)::int8`.as('proven'),
            sql<number>`coalesce(sum(usd_cents - proven_cents) filter (where state = 'requested'), 0)::int8`.as('open'),
          ])
          .as('r'),
        (join) => join.onTrue(),
      )
      .select(['t.paid', 't.final', 'b.firstBlocks', 'r.proven as provenCents', 'r.open as openCents']),
  { computed: { paid: 'text', final: 'text', firstBlocks: 'jsonb', provenCents: 'int8', openCents: 'int8' } },
);

/** Dollars (decimal text) in whole cents, rounded down. */
export const centsOf = (usd: string): number => new Big(usd).times(100).round(0, Big.roundDown).toNumber();

/** The cents that may still be requested. */
export const requestable = ({ finalCents, refundedCents, openCents }: Account): number =>
  Math.max(0, finalCents - refundedCents - openCents);

/**
 * The cents that may still be proven. Open requests do not reduce them, because a proof fulfils open requests first.
 */
export const provable = ({ finalCents, refundedCents }: Account): number => Math.max(0, finalCents - refundedCents);

/** A receipt in these statuses is not refunded: everything was returned, or its payment is on its way. */
const NOT_REFUNDABLE: readonly ReceiptStatus[] = ['refunded', 'tx_mined'];

/** Whether the final money of a receipt can be sent back. Otherwise, the money decides, and not the status. */
export const isRefundable = ({ status }: Pick<Receipt, 'status'>): boolean => !NOT_REFUNDABLE.includes(status);

/** Refuses with `invalid_input` if the receipt has nothing to refund. */
export function requireRefundable(
  { id, status }: Pick<Receipt, 'id' | 'status'>,
  { paidCents, finalCents }: Account,
): void {
  const no = (sentence: string) =>
    refuse('invalid_input', `Receipt ${id} ${sentence}`, { field: 'receiptId', reason: 'nothing_to_refund' });
  if (status === 'refunded') throw no('is refunded: the whole payment was returned');
  if (paidCents === 0) throw no(`is ${status}: there is no payment to refund`);
  if (!isRefundable({ status }) || finalCents === 0)
    throw no('cannot be refunded before its payment has its confirmations');
}

/** Refuses an amount above the maximum with `invalid_usd`. */
export function requireWithin(usdCents: number, mostCents: number, account: Account): void {
  if (usdCents <= mostCents) return;
  const [most, paid, back, open] = [mostCents, account.finalCents, account.refundedCents, account.openCents].map(inUsd);
  throw refuse(
    'invalid_usd',
    `usd must be at most ${most}: ${paid} was paid, ${back} is refunded and ${open} requested`,
    { field: 'usd', refundableUsd: mostCents / 100 },
  );
}

const inUsd = (cents: number): string => (cents / 100).toFixed(2);
