import type { Wallet } from '../../../base/core/wallet.ts';
import type { ReceiptFilter } from '../receipt-search/filter.input.ts';
import { conditionsNow, matchingOf } from '../receipt-search/find-receipts.ts';
import { isEvery, type Walk, walkReceipts } from '../receipt-search/walk-receipts.ts';
import { ahead } from './ahead.ts';
import type { Column, ExportDeps, RowSet, TimedRowSet, TimeForm } from './column.ts';
import { type Format, type FormatName, formatOf } from './formats.ts';
import { lineRows, payoutRows } from './part-rows.ts';
import { paymentRows } from './payment-rows.ts';
import { receiptRows } from './receipt-rows.ts';
import { refundRows } from './refund-rows.ts';

/** The kinds of rows that an export can have. */
const ROW_SETS = {
  receipts: receiptRows,
  lines: lineRows,
  payouts: payoutRows,
  payments: paymentRows,
  refunds: refundRows,
} as const;
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
  /** The form of times in CSV. Default: `iso`. */
  readonly times?: TimeForm;
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
 * creation; or their payments or refunds, in the order of their own time, which a range of creation selects. Nothing is
 * held but the part that is read and the rows of the next. A part is read when the reader asks for it.
 */
export async function* exportReceipts(deps: ExportDeps, request: ExportRequest): AsyncGenerator<Part> {
  const set = ROW_SETS[request.rows] as RowSet<unknown> | TimedRowSet<unknown>;
  const format = formatOf(request.format, columnsOf(request.rows), request);
  let receipts = 0;
  let rows = 0;
  let head = format.head;
  for await (const step of ahead('receipts' in set ? stepsOf(deps, set, request) : timedStepsOf(deps, set, request))) {
    receipts += step.receipts;
    rows += step.rows.length;
    yield { text: head + textOf(format, step.rows), receipts, rows };
    head = '';
  }
  if (head !== '') yield { text: head, receipts, rows };
}

interface Step {
  readonly receipts: number;
  readonly rows: readonly unknown[];
}

async function* stepsOf(deps: ExportDeps, set: RowSet<unknown>, request: ExportRequest): AsyncGenerator<Step> {
  const { merchant, direction } = request;
  const createdTo = Math.min(request.filter.createdTo ?? Number.POSITIVE_INFINITY, deps.clock());
  const walk: Walk = { merchant, direction, size: set.receipts, filter: { ...request.filter, createdTo } };
  if (!set.next || !isEvery(walk.filter)) {
    for await (const ids of walkReceipts(deps, walk))
      yield { receipts: ids.length, rows: ids.length === 0 ? [] : await set.read(deps, walk.merchant, ids) };
    return;
  }
  let rows: readonly unknown[] = [];
  do {
    rows = await set.next(deps, walk, rows.at(-1) ?? null);
    yield { receipts: rows.length, rows };
  } while (rows.length === walk.size);
}

/** Every statement reads a bounded number of rows, of which few may belong to matching receipts. */
async function* timedStepsOf(
  deps: ExportDeps,
  set: TimedRowSet<unknown>,
  { merchant, direction, filter }: ExportRequest,
): AsyncGenerator<Step> {
  const { createdFrom = 0, createdTo = MAX_TIME, ...others } = filter;
  const range = { merchant, direction, from: createdFrom, to: Math.min(createdTo, MAX_TIME), size: set.size };
  const conditions = isEvery(filter) ? null : await conditionsNow(deps, merchant, others);
  let last: unknown = null;
  for (;;) {
    const read = await set.next(deps, range, last);
    const ids = conditions && (await matchingOf(deps, conditions, read.map(set.receiptOf)));
    const rows = ids ? read.filter((row) => ids.has(set.receiptOf(row))) : read;
    yield { receipts: rows.length, rows };
    if (read.length < set.size) return;
    last = read.at(-1);
  }
}

/** Later than the time of every block, and one more is still an exact number. */
const MAX_TIME = Number.MAX_SAFE_INTEGER - 1;

function textOf(format: Format, rows: readonly unknown[]): string {
  let text = '';
  for (const row of rows) text += format.row(row);
  return text;
}
