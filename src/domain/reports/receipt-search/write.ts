import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type RowList, rowList, rowsIn } from '../../../base/platform/postgres/row-list.ts';
import type { Position } from '../../sales/receipts/follower.ts';
import type { Described } from './describe.ts';
import { SEARCH } from './index-state.ts';
import { SEARCH_COLUMNS, type SearchColumns } from './search-row.entity.ts';
import { entriesOf } from './terms.ts';

/** A term of a receipt, as a row. */
interface TermRow {
  readonly merchant: Wallet;
  readonly entry: string;
  readonly createdAt: number;
  readonly receiptId: string;
}

interface Written extends Position {
  readonly rows: RowList<SearchColumns>;
  readonly added: RowList<TermRow>;
  readonly removed: RowList<TermRow>;
}

const TERM_TYPES = { merchant: 'text', entry: 'text', createdAt: 'bigint', receiptId: 'text' } as const;
const ROW_TYPES = {
  merchant: 'text',
  id: 'text',
  seq: 'integer',
  createdAt: 'bigint',
  facet: 'text',
  totalCents: 'bigint',
  paidAt: 'bigint',
  minedSince: 'bigint',
  attention: 'boolean',
  reference: 'text',
  buyerEmail: 'text',
  buyerWallet: 'text',
  subscriptionId: 'text',
  planId: 'text',
  hashes: 'jsonb',
  skus: 'jsonb',
  terms: 'jsonb',
} as const satisfies Record<keyof SearchColumns, string>;

const LISTS = ['hashes', 'skus', 'terms'] as const;
const PLAIN = SEARCH_COLUMNS.filter((column) => !(LISTS as readonly string[]).includes(column));

/**
 * Writes rows, terms and the position in one statement, so that it is one transaction and as short as can be. It writes
 * nothing if another process has written since the position was read. A row never becomes older.
 */
const WRITE = query('receipt-search-write', (db, $: Written) => {
  const rows = rowsIn<SearchColumns, 'given'>($.rows, 'given', ROW_TYPES);
  const added = rowsIn<TermRow, 'fresh'>($.added, 'fresh', TERM_TYPES);
  const removed = rowsIn<TermRow, 'stale'>($.removed, 'stale', TERM_TYPES);
  const list = (name: (typeof LISTS)[number]) =>
    sql<string[]>`array(select jsonb_array_elements_text(${rows.columns[name]}))`.as(name);
  return db
    .with('held', (cte) =>
      cte
        .updateTable('ReceiptIndex')
        .set((eb) => ({
          step: eb('step', '+', 1),
          snapshot: $.snapshot,
          rebuildMerchant: $.rebuildMerchant,
          rebuildId: $.rebuildId,
        }))
        .where('name', '=', SEARCH.name)
        .where('step', '=', $.step)
        .returning('step'),
    )
    .with('gone', (cte) =>
      cte
        .deleteFrom('ReceiptTerm')
        .using(removed.table)
        .using('held')
        .where('ReceiptTerm.merchant', '=', removed.columns.merchant)
        .where('ReceiptTerm.entry', '=', removed.columns.entry)
        .where('ReceiptTerm.createdAt', '=', removed.columns.createdAt)
        .where('ReceiptTerm.receiptId', '=', removed.columns.receiptId),
    )
    .with('added', (cte) =>
      cte
        .insertInto('ReceiptTerm')
        .columns(['merchant', 'entry', 'createdAt', 'receiptId'])
        .expression((eb) =>
          eb.selectFrom([added.table, 'held']).select(added.select(['merchant', 'entry', 'createdAt', 'receiptId'])),
        )
        .onConflict((conflict) => conflict.doNothing()),
    )
    .with('written', (cte) =>
      cte
        .insertInto('ReceiptSearchRow')
        .columns([...PLAIN, ...LISTS])
        .expression((eb) =>
          eb.selectFrom([rows.table, 'held']).select([...rows.select(PLAIN), ...LISTS.map(list)] as never),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['merchant', 'id'])
            .doUpdateSet(
              (eb) =>
                Object.fromEntries(
                  SEARCH_COLUMNS.filter((column) => column !== 'merchant' && column !== 'id').map((column) => [
                    column,
                    eb.ref(`excluded.${column}`),
                  ]),
                ) as never,
            )
            .whereRef('excluded.seq', '>=', 'ReceiptSearchRow.seq'),
        ),
    )
    .selectFrom('held')
    .select('held.step');
});

/** Rows are written in parts of about this many terms: a receipt has up to 500 lines. */
const ENTRIES_MAX = 4_000;

/**
 * Writes search rows, then the new position. Returns false, with nothing or a part written, if another process wrote
 * meanwhile; the receipts are then read again from the old position.
 *
 * @param repair writes all entries, also those that the old row says exist
 */
export async function writeRows(
  db: Db,
  described: readonly Described[],
  position: Position,
  next: Position,
  { repair = false } = {},
): Promise<boolean> {
  let { step } = position;
  const parts = partsOf(described);
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    const [held] = await db.run(WRITE, {
      ...(isLast ? next : position),
      step,
      rows: rowList(part.map(({ row }) => row)),
      added: rowList(part.flatMap((one) => addedBy(one, repair))),
      removed: rowList(part.flatMap(removedBy)),
    });
    if (!held) return false;
    step = held.step;
  }
  return true;
}

/** At least one part, so that the position is always written. */
function partsOf(described: readonly Described[]): Described[][] {
  const parts: Described[][] = [[]];
  let entries = 0;
  for (const one of described) {
    entries += one.row.terms.length;
    if (entries > ENTRIES_MAX && parts.at(-1)!.length > 0) {
      parts.push([]);
      entries = one.row.terms.length;
    }
    parts.at(-1)!.push(one);
  }
  return parts;
}

const termRow = ({ merchant, id, createdAt }: SearchColumns, entry: string): TermRow => ({
  merchant,
  entry,
  createdAt,
  receiptId: id,
});

function addedBy({ row, oldTerms }: Described, repair: boolean): TermRow[] {
  const old = repair ? new Set() : entriesOf(oldTerms ?? []);
  return [...entriesOf(row.terms)].filter((entry) => !old.has(entry)).map((entry) => termRow(row, entry));
}

function removedBy({ row, oldTerms }: Described): TermRow[] {
  if (oldTerms === null) return [];
  const current = entriesOf(row.terms);
  return [...entriesOf(oldTerms)].filter((entry) => !current.has(entry)).map((entry) => termRow(row, entry));
}
