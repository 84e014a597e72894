import { type Expression, type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { OnItsWay, OnItsWayKind } from '../../../base/core/on-its-way.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { MoneyOnItsWay } from '../../../base/platform/deps.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type RowList, rowList, rowsIn } from '../../../base/platform/postgres/row-list.ts';
import { CHARGED } from '../../payments/cards/lifecycle.ts';
import { FAILED_LATELY_MS, OPEN } from '../../payments/gasless/lifecycle.ts';
import { WAITING } from '../../sales/receipts/lifecycle.ts';

/*
 * Anyone who sees a payment page can submit transactions, also invented ones. So a submitted transaction counts for a
 * limited time, and a receipt with more of them than a payment needs is held by none. Together the unsigned ones of a
 * receipt count for 50 minutes at most, the signed ones for five hours. A transaction that has more signers counts once
 * for each, because each new one is as good as a new submission.
 */

/** How long a submitted transaction that is not found counts. */
const UNSIGNED_MS = 10 * 60_000;
const BACKED_MS = 60 * 60_000;
/** How long a transfer whose matching failed is matched again. */
const RETRIED_MS = 24 * 60 * 60_000;
/** How many of them count: a receipt with more is held by none, counted separately for signed and unsigned ones. */
const HINTS_MAX = 5;

interface Asked {
  readonly merchant: Wallet;
  readonly id: string;
}

interface Parameters {
  readonly receipts: RowList<Asked>;
  readonly now: number;
}

const askedIn = (db: Kysely<Database>, $: Parameters) =>
  db.selectFrom(rowsIn($.receipts, 'asked', { merchant: 'text', id: 'text' }).table);

const foundAs = (kind: OnItsWayKind, isOverdue: Expression<boolean> = sql<boolean>`false`) =>
  [
    sql<Wallet>`asked.merchant`.as('merchant'),
    sql<string>`asked.id`.as('receiptId'),
    sql<OnItsWayKind>`${sql.lit(kind)}::text`.as('kind'),
    sql<boolean>`${isOverdue}`.as('isOverdue'),
  ] as const;

/**
 * Whether a transfer of a transaction is stored, and it is decided what it pays. From then on the receipt's own status
 * says what it holds. A transfer whose matching failed is decided later.
 */
const hasArrived = (
  { exists, selectFrom }: ExpressionBuilder<Database, never>,
  { chainId, hash, now }: { chainId: Expression<unknown>; hash: Expression<unknown>; now: number },
) =>
  exists(
    selectFrom('Transfer as t')
      .select('t.chainId')
      .where('t.canonical', '=', true)
      .where(sql<boolean>`t.chain_id = ${chainId} and t.transaction_hash = ${hash}`)
      .where(({ or, eb }) =>
        or([
          eb('t.receiptId', 'is not', null),
          eb('t.unmatchedReason', '<>', 'error'),
          eb('t.seenAt', '<', sql<number>`${now}::bigint - ${sql.lit(RETRIED_MS)}`),
        ]),
      ),
  );

/** Cards that were charged, and whose delivery has not arrived. */
const cards = (db: Kysely<Database>, $: Parameters) =>
  askedIn(db, $)
    .innerJoin('OnrampSession as s', (join) =>
      join.onRef('s.merchant', '=', 'asked.merchant').onRef('s.receiptId', '=', 'asked.id'),
    )
    .select(foundAs('card', sql<boolean>`coalesce(s.delivery_due_at, 0) <= ${$.now}`))
    .where('s.status', 'in', CHARGED)
    .where((eb) =>
      eb.not(
        hasArrived(eb as never, { chainId: sql.ref('s.chainId'), hash: sql.ref('s.transactionHash'), now: $.now }),
      ),
    );

/**
 * Signed transfers that this server has sent. One whose transaction failed a moment ago may have been carried out by
 * someone else.
 */
const authorizations = (db: Kysely<Database>, $: Parameters) =>
  askedIn(db, $)
    .innerJoin('PaymentAuthorization as a', (join) =>
      join.onRef('a.merchant', '=', 'asked.merchant').onRef('a.receiptId', '=', 'asked.id'),
    )
    .select(foundAs('authorization'))
    .where(({ eb, or, and }) =>
      or([
        eb('a.state', 'in', OPEN),
        and([
          eb('a.state', '=', 'failed'),
          eb('a.updatedAt', '>', sql<number>`${$.now}::bigint - ${sql.lit(FAILED_LATELY_MS)}`),
        ]),
      ]),
    )
    .where((eb) =>
      eb.not(
        hasArrived(eb as never, { chainId: sql.ref('a.chainId'), hash: sql.ref('a.transactionHash'), now: $.now }),
      ),
    );

/** Recurring charges that were sent, or have succeeded and are not found by the watcher yet. */
const charges = (db: Kysely<Database>, $: Parameters) =>
  askedIn(db, $)
    .innerJoin('Charge as c', (join) =>
      join.onRef('c.merchant', '=', 'asked.merchant').onRef('c.receiptId', '=', 'asked.id'),
    )
    .innerJoin('Subscription as s', (join) =>
      join.onRef('s.merchant', '=', 'c.merchant').onRef('s.id', '=', 'c.subscriptionId'),
    )
    .innerJoin('Receipt as r', (join) => join.onRef('r.merchant', '=', 'asked.merchant').onRef('r.id', '=', 'asked.id'))
    .select(foundAs('charge'))
    .where((eb) =>
      eb.or([
        eb('c.status', '=', 'sent'),
        eb.and([
          eb('c.status', '=', 'succeeded'),
          eb('r.status', 'in', WAITING),
          eb.not(
            hasArrived(eb as never, { chainId: sql.ref('s.chainId'), hash: sql.ref('c.transactionHash'), now: $.now }),
          ),
        ]),
      ]),
    );

/** Payments in a block. Less than the whole amount is not on its way: more is still to be paid. */
const payments = (db: Kysely<Database>, $: Parameters) =>
  askedIn(db, $)
    .innerJoin('Receipt as r', (join) => join.onRef('r.merchant', '=', 'asked.merchant').onRef('r.id', '=', 'asked.id'))
    .select(foundAs('payment'))
    .where('r.status', '=', 'tx_mined');

/** Submitted transactions that are not found yet. */
const transactions = (db: Kysely<Database>, $: Parameters) =>
  askedIn(db, $)
    .innerJoin('SubmittedTransaction as h', (join) =>
      join.onRef('h.merchant', '=', 'asked.merchant').onRef('h.receiptId', '=', 'asked.id'),
    )
    .select(foundAs('transaction'))
    .where('h.closedAt', 'is', null)
    .where(sql<boolean>`h.submitted_at > ${$.now}::bigint
      - case when h.signed_by is null and h.vouched_by is null then ${sql.lit(UNSIGNED_MS)} else ${sql.lit(BACKED_MS)} end`)
    .where((eb) =>
      eb.not(
        hasArrived(eb as never, { chainId: sql.ref('h.chainId'), hash: sql.ref('h.transactionHash'), now: $.now }),
      ),
    )
    .where(({ eb, or, selectFrom, ref }) =>
      or([
        eb('h.vouchedBy', 'is not', null),
        eb(
          selectFrom('SubmittedTransaction as o')
            .select(sql<number>`sum(coalesce(cardinality(o.signed_by), 1))`.as('counted'))
            .whereRef('o.merchant', '=', 'h.merchant')
            .whereRef('o.receiptId', '=', 'h.receiptId')
            .where(sql<boolean>`(o.signed_by is null) = (${ref('h.signedBy')} is null) and o.vouched_by is null`),
          '<=',
          sql.lit(HINTS_MAX),
        ),
      ]),
    );

const ON_ITS_WAY = query(
  'money-on-its-way',
  (db, $: Parameters) =>
    cards(db, $)
      .unionAll(authorizations(db, $))
      .unionAll(charges(db, $))
      .unionAll(payments(db, $))
      .unionAll(transactions(db, $)),
  { computed: { merchant: 'text', receiptId: 'text', kind: 'text', isOverdue: 'bool' } },
);

/**
 * Reads what is on its way to receipts. Void, expiry, renewal, card checkouts, signed transfers and recurring charges
 * all ask this one statement, so that none of them ends or pays a receipt that another one is paying. The receipts must
 * be locked by the unit of work: whatever starts a payment locks its receipt before it is stored.
 */
export const moneyOnItsWay: MoneyOnItsWay = async (uow, receipts, now): Promise<OnItsWay[]> => {
  if (receipts.length === 0) return [];
  const asked = receipts.map(({ merchant, id }) => ({ merchant, id }));
  return uow.run(ON_ITS_WAY, { receipts: rowList(asked), now });
};
