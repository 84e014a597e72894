import { type Expression, type ExpressionBuilder, type Insertable, type SqlBool, sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import { type Query, query } from '../platform/query.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { BOOKED_COLUMNS, type BookedColumn, INITIAL, SHOWN_COLUMNS } from './columns.ts';
import { type OptionColumn, optionColumns, type ReceiptOptions } from './options.ts';
import type { ReceiptRow } from './read.ts';
import type { ReceiptColumns } from './receipt.entity.ts';

/** The columns that an insert derives from the other fields of a new receipt. */
type Derived = OptionColumn | 'announcedStatus' | 'createdBlock' | 'buyerWallet' | 'createdAt' | 'updatedAt';

/** A receipt to insert. Money in cents, times in epoch ms. */
export interface NewReceipt extends Readonly<Omit<Pick<ReceiptColumns, BookedColumn>, Derived | 'status'>> {
  readonly status: 'generated' | 'pending';
  readonly options: ReceiptOptions;
  /** Default null. */
  readonly buyerWallet?: ReceiptColumns['buyerWallet'];
  /** The head of the chain; the last known head by default. */
  readonly createdBlock?: number;
  readonly chainId: number;
  readonly actor: string;
  readonly at: number;
}

/** The values of a new receipt's columns. A missing `createdBlock` is null here. */
function bookedColumns(receipt: NewReceipt): Pick<ReceiptColumns, BookedColumn> {
  const { options, chainId: _chainId, actor: _actor, at, buyerWallet = null, createdBlock = null, ...own } = receipt;
  return {
    ...own,
    ...optionColumns(options),
    announcedStatus: own.status,
    buyerWallet,
    createdBlock,
    createdAt: at,
    updatedAt: at,
  };
}

/** The row of a receipt right after its insert. */
export function newRow(receipt: NewReceipt): ReceiptRow {
  const columns = { ...INITIAL, ...bookedColumns(receipt) };
  return Object.fromEntries(SHOWN_COLUMNS.map((column) => [column, columns[column]])) as unknown as ReceiptRow;
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
 * const [booked] = await sql.run(BOOK, { ...bookingOf(receipt), version });
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

/** The parameters that insert a receipt. */
export function bookingOf(receipt: NewReceipt): Booking {
  return { ...storedColumns(receipt), chainId: receipt.chainId, actor: receipt.actor };
}

/** The columns of a new receipt as parameters: JSON as text, because the driver writes lists as PostgreSQL arrays. */
function storedColumns(receipt: NewReceipt): Insertable<Database['Receipt']> {
  const stored = Object.entries(bookedColumns(receipt)).map(([column, value]) => [
    column,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  return Object.fromEntries(stored) as Insertable<Database['Receipt']>;
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
    .with('booked', (cte) => cte.insertInto('Receipt').values(receipts.map(storedColumns)))
    .insertInto('HistoryRow')
    .values(rows)
    .execute();
}
