import { type Expression, type ExpressionBuilder, type Insertable, type SqlBool, sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import { type Query, query } from '../platform/query.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { BOOKED_COLUMNS, type BookedColumn, INITIAL, SHOWN_COLUMNS } from './columns.ts';
import { type OptionColumn, optionColumns, type ReceiptOptions } from './options.ts';
import type { ReceiptRow } from './read.ts';
import type { ReceiptColumns } from './receipt.entity.ts';

/** The columns that an insert derives from the other fields of a new receipt. */
type Derived =
  | OptionColumn
  | 'announcedStatus'
  | 'createdBlock'
  | 'buyerWallet'
  | 'stockHeld'
  | 'createdAt'
  | 'updatedAt';

/** A receipt to insert. Money in cents, times in epoch ms. */
export interface NewReceipt extends Readonly<Omit<Pick<ReceiptColumns, BookedColumn>, Derived | 'status'>> {
  readonly status: 'generated' | 'pending';
  readonly options: ReceiptOptions;
  /** Default null. */
  readonly buyerWallet?: ReceiptColumns['buyerWallet'];
  /** Whether the items of its lines are held for it. Default false. */
  readonly stockHeld?: boolean;
  /** The head of the chain; the last known head by default. */
  readonly createdBlock?: number;
  readonly chainId: number;
  readonly actor: string;
  readonly at: number;
}

/** A new receipt with the values of all its columns. A missing `createdBlock` is null here. */
function bookedColumns(receipt: NewReceipt): NewReceipt & Pick<ReceiptColumns, BookedColumn> {
  const { status, options, at, buyerWallet = null, createdBlock = null, stockHeld = false } = receipt;
  const derived = { announcedStatus: status, buyerWallet, createdBlock, stockHeld, createdAt: at, updatedAt: at };
  // Spreading an object of this size takes several times as long.
  return Object.assign({}, receipt, optionColumns(options), derived);
}

/** The row of a receipt right after its insert. */
export function newRow(receipt: NewReceipt): ReceiptRow {
  const columns = Object.assign(bookedColumns(receipt), INITIAL);
  const row: Record<string, unknown> = {};
  for (const column of SHOWN_COLUMNS) row[column] = columns[column];
  return row as unknown as ReceiptRow;
}

/** The parameters of a booking statement: see `bookingOf`. */
export type Booking = Insertable<Database['Receipt']> & Pick<NewReceipt, 'chainId' | 'actor'>;

/** The builder of a condition over the merchant's row. */
type OfMerchant = ExpressionBuilder<Database & { m: Database['Merchant'] }, 'm'>;

/**
 * Defines the statement that inserts a receipt and the first row of its history if `condition` holds. It returns the
 * id, or no row if the merchant does not exist, the condition does not hold or the id is taken. It stores the last
 * known head of the chain, so that an older payment is never matched to the receipt.
 *
 * @example
 * const BOOK = bookingQuery('book-order', (m, $: { version: number }) => m('m.version', '=', $.version));
 * const [booked] = await sql.run(BOOK, Object.assign(bookingOf(receipt), { version }));
 */
export function bookingQuery<Condition extends object>(
  name: string,
  condition: (m: OfMerchant, parameters: Condition & Booking) => Expression<SqlBool>,
): Query<Condition & Booking, { id: string }> {
  return query(name, (db, $: Condition & Booking) => {
    const head = db.selectFrom('ChainCursor').select('head').where('chainId', '=', $.chainId);
    const values = BOOKED_COLUMNS.map((column) =>
      column === 'createdBlock'
        ? sql`coalesce(${$.createdBlock}::int8, ${head})`.as(column)
        : sql`${$[column]}`.as(column),
    );
    return db
      .with('booked', (cte) =>
        cte
          .insertInto('Receipt')
          .columns(BOOKED_COLUMNS)
          .expression((eb) =>
            eb
              .selectFrom('Merchant as m')
              .select(values)
              .where('m.wallet', '=', $.merchant)
              .where((m) => condition(m, $)),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning(['merchant', 'id', 'status', 'createdAt']),
      )
      .insertInto('HistoryRow')
      .columns(['merchant', 'receiptId', 'seq', 'kind', 'status', 'actor', 'at'])
      .expression((eb) =>
        eb
          .selectFrom('booked')
          .select(['merchant', 'id', sql.lit(1).as('seq'), sql.lit('status').as('kind'), 'status'])
          .select([sql`${$.actor}`.as('actor'), 'createdAt']),
      )
      .returning('receiptId as id');
  });
}

/** The parameters that insert a receipt: JSON as text, because the driver writes lists as PostgreSQL arrays. */
export function bookingOf(receipt: NewReceipt): Booking {
  const booking = bookedColumns(receipt) as unknown as Record<string, unknown>;
  for (const column of BOOKED_COLUMNS) {
    const value = booking[column];
    if (typeof value === 'object' && value !== null) booking[column] = JSON.stringify(value);
  }
  return booking as unknown as Booking;
}

/**
 * Inserts receipts and the first rows of their histories, in one statement. Each names its `createdBlock`. Signal them
 * after the commit (`signalChange`). Fails if an id is taken.
 */
export async function bookReceipts(
  { db }: UnitOfWork,
  receipts: readonly (NewReceipt & { readonly createdBlock: number })[],
): Promise<void> {
  const rows = receipts.map(({ merchant, id, status, actor, at }) => ({
    ...{ merchant, receiptId: id, seq: 1, kind: 'status' as const },
    ...{ status, actor, at },
  }));
  await db
    .with('booked', (cte) => cte.insertInto('Receipt').values(receipts.map(rowOf)))
    .insertInto('HistoryRow')
    .values(rows)
    .execute();
}

/** The columns of a receipt to insert, and no other parameter. */
function rowOf(receipt: NewReceipt): Insertable<Database['Receipt']> {
  const booking = bookingOf(receipt);
  return Object.fromEntries(BOOKED_COLUMNS.map((column) => [column, booking[column]])) as Booking;
}
