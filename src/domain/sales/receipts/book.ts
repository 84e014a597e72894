import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type QueryCreator,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { walletOfActor } from '../../../base/core/caller.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { BatchedWrite } from '../../../base/platform/postgres/batched-write.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { NewAddress } from './addresses.ts';
import { BOOKED_COLUMNS, type BookedColumn, INITIAL, SHOWN_COLUMNS } from './columns.ts';
import { type OptionColumn, optionColumns, type ReceiptOptions } from './options.ts';
import type { ReceiptRow } from './read.ts';
import type { Receipt } from './receipt.entity.ts';

/** The columns that an insert derives from the other fields of a new receipt. */
type Derived =
  | OptionColumn
  | 'announcedStatus'
  | 'createdBlock'
  | 'createdChainId'
  | 'createdHeads'
  | 'createdBy'
  | 'linkId'
  | 'linkVisitor'
  | 'buyerWallet'
  | 'stockHeld'
  | 'createdAt'
  | 'updatedAt';

/** A receipt to insert. Money in cents, times in epoch ms. */
export interface NewReceipt extends Readonly<Omit<Pick<Receipt, BookedColumn>, Derived | 'status'>> {
  readonly status: 'generated' | 'pending';
  readonly options: ReceiptOptions;
  /** Default null. */
  readonly buyerWallet?: Receipt['buyerWallet'];
  /** The payment link that makes it, and the digest of its visitor. Default null. */
  readonly link?: { readonly id: string; readonly visitor: string } | null;
  /** Whether the items of its lines are held for it. Default false. */
  readonly stockHeld?: boolean;
  /** Its address; null or missing if it is asked for no money, or gets one when it is first asked for. */
  readonly address?: NewAddress | null;
  /** The head of the chain; the last known head by default. */
  readonly createdBlock?: number;
  /** The chain of `createdBlock`: the first one. */
  readonly chainId: number;
  readonly actor: string;
  readonly at: number;
}

/** The columns of a new receipt. A missing `createdBlock` is null here. */
function bookedColumns(receipt: NewReceipt): Pick<Receipt, BookedColumn> {
  const { status, options, actor, at, chainId, buyerWallet = null, createdBlock = null, stockHeld = false } = receipt;
  const { link } = receipt;
  // One literal: assigning to an object of this size takes several times as long.
  return {
    ...receipt,
    ...optionColumns(options),
    announcedStatus: status,
    buyerWallet,
    createdBlock,
    createdChainId: chainId,
    createdHeads: null,
    createdBy: walletOfActor(actor),
    linkId: link?.id ?? null,
    linkVisitor: link?.visitor ?? null,
    stockHeld,
    createdAt: at,
    updatedAt: at,
  };
}

/** The row of a receipt right after its insert. */
export function newRow(receipt: NewReceipt): ReceiptRow {
  const columns = { ...bookedColumns(receipt), ...INITIAL };
  const row: Record<string, unknown> = {};
  for (const column of SHOWN_COLUMNS) row[column] = columns[column];
  return row as unknown as ReceiptRow;
}

/** The builder of a condition over the merchant's row. */
type OfMerchant = ExpressionBuilder<Database & { m: Database['Merchant'] }, 'm'>;

/** The PostgreSQL types of what a condition compares. */
type Kinds<Condition extends object> = { readonly [Name in keyof Condition & string]: 'int4' | 'int4[]' | 'text[]' };

/** What a condition compares, as columns. */
type Compared<Condition extends object> = { readonly [Name in keyof Condition]: RawBuilder<Condition[Name]> };

/** A receipt to book, and what the condition compares. */
export interface Booking<Condition extends object = object> {
  readonly receipt: NewReceipt;
  readonly condition: Condition;
}

/** A booked receipt. */
interface Booked {
  readonly merchant: Wallet;
  readonly id: string;
}

/** The new receipts, and for each the further values that the statement needs, in the same order. */
type BookingLists = { readonly receipts: string; readonly circumstances: string };

export type BookingStatement<Condition extends object> = BatchedWrite<Booking<Condition>, BookingLists, Booked>;

/**
 * Defines the statement that inserts receipts, their addresses and the first rows of their histories, each if
 * `condition` holds for it. It returns the booked ones: a receipt is left out if the merchant does not exist, the
 * condition does not hold or the id is taken. It stores the last known heads of the chains, so that an older payment is
 * never matched to the receipt.
 *
 * @param kinds the PostgreSQL types of what the condition compares; the names are single words
 * @example
 * const BOOK = bookingQuery('book-order', { version: 'int4' }, (m, $) => m('m.version', '=', $.version));
 * const booked = await db.write(BOOK, { receipt, condition: { version } });
 */
export function bookingQuery<Condition extends object>(
  name: string,
  kinds: Kinds<Condition>,
  condition: (
    m: OfMerchant,
    compared: Compared<Condition> & { readonly chain: RawBuilder<number> },
  ) => Expression<SqlBool>,
): BookingStatement<Condition> {
  const names = Object.keys(kinds) as (keyof Condition & string)[];
  const compared = Object.fromEntries(names.map((one) => [one, sql.ref(`g.${one}`)])) as unknown as Compared<Condition>;
  const chain = sql<number>`g.chain`;
  const further = sql.join(names.map((one) => sql`${sql.id(one)} ${sql.raw(kinds[one])}`));
  const statement = query(name, (db, $: BookingLists) => {
    // Two lists with the same order: the columns of receipts, and what is no column.
    const lists = sql<Booked>`rows from (
      json_populate_recordset(null::receipts, ${$.receipts}::json),
      json_to_recordset(${$.circumstances}::json) as (chain int8, actor text, address text, factory text, split text, only_chain int8${names.length > 0 ? sql`, ${further}` : sql``})
    )`;
    const head = db.selectFrom('ChainCursor').select('head').where('chainId', '=', chain);
    const otherHeads = db
      .selectFrom('ChainCursor')
      .select(sql`jsonb_object_agg(chain_id, head)`.as('heads'))
      .where('chainId', '<>', chain);
    const values = BOOKED_COLUMNS.map((column) => {
      if (column === 'createdHeads') return otherHeads.as(column);
      const value = sql.ref(`g.${columnName(column)}`);
      return column === 'createdBlock' ? sql`coalesce(${value}, ${head})`.as(column) : sql`${value}`.as(column);
    });
    return db
      .with('given', (cte) => cte.selectFrom(lists.as('g')).selectAll())
      .with('booked', (cte) =>
        cte
          .insertInto('Receipt')
          .columns(BOOKED_COLUMNS)
          .expression((eb) =>
            eb
              .selectFrom('given as g')
              .innerJoin('Merchant as m', (join) => join.on('m.wallet', '=', sql.ref<Wallet>('g.merchant')))
              .select(values)
              .where((m) => condition(m as unknown as OfMerchant, { ...compared, chain })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning(['merchant', 'id', 'status', 'createdAt']),
      )
      .with('addressed', insertAddresses)
      .insertInto('HistoryRow')
      .columns(['merchant', 'receiptId', 'seq', 'kind', 'status', 'actor', 'at'])
      .expression((eb) =>
        eb
          .selectFrom('booked as b')
          .innerJoin('given as g', (join) => join.onRef('g.merchant', '=', 'b.merchant').onRef('g.id', '=', 'b.id'))
          .select(['b.merchant', 'b.id', sql.lit(1).as('seq'), sql.lit('status').as('kind'), 'b.status'])
          .select([sql`g.actor`.as('actor'), 'b.createdAt']),
      )
      .returning(['merchant', 'receiptId as id']);
  });
  const keyOf = ({ merchant, id }: Booked) => `${merchant} ${id}`;
  return {
    ...statement,
    listsOf: (bookings) => ({
      receipts: JSON.stringify(bookings.map(({ receipt }) => rowToInsert(receipt))),
      circumstances: JSON.stringify(
        bookings.map(({ receipt: { chainId: chain, actor, address }, condition }) => ({
          ...{ chain, actor, address: address?.address, factory: address?.factory, split: address?.split },
          ...{ only_chain: address?.onlyChainId, ...condition },
        })),
      ),
    }),
    keyOf: ({ receipt }) => keyOf(receipt),
    keyOfRow: keyOf,
  };
}

/** The tables of the statement: what was given, and what was booked of it. */
interface Tables extends Database {
  given: Booked;
  booked: Booked & Pick<Receipt, 'createdAt'>;
}

/** Inserts the addresses of the booked receipts that are asked for money. */
const insertAddresses = (cte: QueryCreator<Tables>) =>
  cte
    .insertInto('ReceiptAddress')
    .columns(['address', 'merchant', 'receiptId', 'number', 'factory', 'split', 'onlyChainId', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('booked as b')
        .innerJoin('given as g', (join) => join.onRef('g.merchant', '=', 'b.merchant').onRef('g.id', '=', 'b.id'))
        .select([sql<Wallet>`g.address`.as('address'), 'b.merchant', 'b.id', sql.lit(0).as('number')])
        .select([sql<Wallet>`g.factory`.as('factory'), sql<Wallet>`g.split`.as('split')])
        .select([sql<number>`g.only_chain`.as('onlyChainId'), 'b.createdAt'])
        .where(sql`g.address`, 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing());

const columnName = (property: string): string => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const COLUMN_NAMES = BOOKED_COLUMNS.map((column) => [column, columnName(column)] as const);

/** A receipt under the names of its columns, without null. */
function rowToInsert(receipt: NewReceipt): Record<string, unknown> {
  const columns = bookedColumns(receipt);
  const row: Record<string, unknown> = {};
  for (const [column, name] of COLUMN_NAMES) if (columns[column] !== null) row[name] = columns[column];
  return row;
}

/** Runs a booking statement for one receipt in a transaction. Returns whether the receipt was inserted. */
export async function bookWithin<Condition extends object>(
  uow: UnitOfWork,
  statement: BookingStatement<Condition>,
  booking: Booking<Condition>,
): Promise<boolean> {
  const [booked] = await uow.run(statement, statement.listsOf([booking]));
  return booked !== undefined;
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

/** The columns of a receipt to insert: JSON as text, because the driver writes lists as PostgreSQL arrays. */
function rowOf(receipt: NewReceipt): Insertable<Database['Receipt']> {
  const columns = bookedColumns(receipt);
  return Object.fromEntries(
    BOOKED_COLUMNS.map((column) => {
      const value = columns[column];
      return [column, typeof value === 'object' && value !== null ? JSON.stringify(value) : value];
    }),
  ) as Insertable<Database['Receipt']>;
}
