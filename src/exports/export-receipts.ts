import type { Wallet } from '../core/wallet.ts';
import type { ReceiptFilter } from '../receipt-search/filter.input.ts';
import { walkReceipts } from '../receipt-search/walk-receipts.ts';
import { ahead } from './ahead.ts';
import type { Column, ExportDeps, RowSet } from './column.ts';
import { type FormatName, formatOf } from './formats.ts';
import { lineRows } from './line-rows.ts';
import { payoutRows } from './payout-rows.ts';
import { receiptRows } from './receipt-rows.ts';

/** The kinds of rows that an export can have. */
const ROW_SETS = { receipts: receiptRows, lines: lineRows, payouts: payoutRows } as const;
export type RowsName = keyof typeof ROW_SETS;
export const ROWS_NAMES = Object.keys(ROW_SETS) as [RowsName, ...RowsName[]];

/** What is exported, and how. */
export interface ExportRequest {
  readonly merchant: Wallet;
  readonly filter: ReceiptFilter;
  readonly rows: RowsName;
  readonly format: FormatName;
  /** An IANA name. */
  readonly timezone: string;
  readonly direction: 'asc' | 'desc';
  /** The filters as the caller gave them, for the audit log. */
  readonly asked: object;
}

/** A part of an export. */
export interface Part {
  readonly text: string;
  /** The receipts and rows of all parts until this one. */
  readonly receipts: number;
  readonly rows: number;
}

/** The columns of a kind of rows. */
export const columnsOf = (rows: RowsName): readonly Column<never>[] => ROW_SETS[rows].columns;

/**
 * The receipts that match a filter and were created until now, as text in parts of bounded size, in the order of
 * creation. The ids and the rows of the next parts are read while a part becomes text and is sent, so that database and
 * process work at once; at most four parts are held.
 */
export async function* exportReceipts(deps: ExportDeps, request: ExportRequest): AsyncGenerator<Part> {
  const { merchant, direction } = request;
  const set = ROW_SETS[request.rows] as RowSet<unknown>;
  const format = formatOf(request.format, columnsOf(request.rows), request.timezone);
  const createdTo = Math.min(request.filter.createdTo ?? Number.POSITIVE_INFINITY, deps.clock());
  const steps = walkReceipts(deps, {
    merchant,
    direction,
    size: set.receipts,
    filter: { ...request.filter, createdTo },
  });
  let receipts = 0;
  let rows = 0;
  let head = format.head;
  for await (const step of ahead(readRows(deps, merchant, set, ahead(steps)))) {
    receipts += step.receipts;
    rows += step.rows.length;
    yield { text: head + textOf(set, format, step.rows), receipts, rows };
    head = '';
  }
  if (head !== '') yield { text: head, receipts, rows };
}

/** The rows of the receipts of each step, with the number of its receipts. */
async function* readRows<Row>(
  deps: ExportDeps,
  merchant: Wallet,
  set: RowSet<Row>,
  steps: AsyncIterable<readonly string[]>,
) {
  for await (const ids of steps)
    yield { receipts: ids.length, rows: ids.length === 0 ? [] : await set.read(deps, merchant, ids) };
}

function textOf(set: RowSet<unknown>, format: ReturnType<typeof formatOf>, rows: readonly unknown[]): string {
  let text = '';
  for (const row of rows) text += format.row(set.columns.map(({ of }) => of(row)));
  return text;
}
