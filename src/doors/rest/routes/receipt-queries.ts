import { z } from 'zod';
import { parseInput } from '../../../base/core/input.ts';
import { isTimezone, TIME_FORMS } from '../../../domain/reports/exports/column.ts';
import { type ExportRequest, ROWS_NAMES } from '../../../domain/reports/exports/export-receipts.ts';
import { FORMAT_NAMES } from '../../../domain/reports/exports/formats.ts';
import { filterShape, receiptFilter } from '../../../domain/reports/receipt-search/filter.input.ts';
import { SORT_FIELDS } from '../../../domain/reports/receipt-search/order.ts';
import { RECORD_STATUS, type ReceiptStatus } from '../../../domain/sales/receipts/lifecycle.ts';
import { LIST_MAX } from '../../../domain/sales/receipts/newest.ts';
import type { ReceiptsQueryVariables } from '../generated/graphql.ts';
import { cursorText, limitUpTo, type Reader } from './reader.ts';

/** A parameter that may be empty. */
const choice = <const T extends readonly string[]>(words: T, usual: T[number]) =>
  z.preprocess((value) => (value === '' ? undefined : value), z.enum(words).default(usual));

const DIRECTIONS = ['asc', 'desc'] as const;

const paging = {
  cursor: cursorText,
  sort: choice(SORT_FIELDS, 'createdAt').describe('Default: `createdAt`. By `paidAt`, only paid receipts are listed.'),
  order: choice(DIRECTIONS, 'desc').describe('The direction. Default: `desc`.'),
};

const STATUSES_ABOUT =
  'A comma-separated list of statuses. `pending` includes `tx_mined` and `tx_mismatch`, which the answer shows as `pending`.';

const receiptsQuery = z.object({
  limit: limitUpTo(LIST_MAX).describe(`1 to ${LIST_MAX}.`),
  ...paging,
  ...filterShape.shape,
  statuses: filterShape.shape.statuses.describe(STATUSES_ABOUT),
});

/** The parameters beside those of the contract. */
const FURTHER = Object.keys(receiptsQuery.shape).filter((name) => name !== 'limit');

/**
 * The query of `GET /api/receipts`: `limit`, 1 to 200, else refused; and filters, order and cursor. A request with any
 * of these gets pages (`paged`); one without gets the answer of the contract.
 */
export const receiptsReader: Reader<ReceiptsQueryVariables> = {
  schema: receiptsQuery,
  read({ query }) {
    const { limit: first, cursor, sort, order } = parseInput(receiptsQuery, query);
    const paged = FURTHER.some((name) => query[name] !== undefined);
    if (!paged) return { first, paged };
    const { totalMin, totalMax, statuses, ...filter } = parseInput(filterShape, query);
    return {
      first,
      after: cursor === '' ? null : cursor,
      orderBy: { field: sort, direction: order },
      filter: {
        ...filter,
        q: filter.q && query.q,
        statuses: statuses && withShownAs(statuses),
        totalMin: totalMin === undefined ? undefined : totalMin / 100,
        totalMax: totalMax === undefined ? undefined : totalMax / 100,
      },
      paged,
    };
  },
};

const STATUSES = Object.keys(RECORD_STATUS) as ReceiptStatus[];

const withShownAs = (statuses: readonly ReceiptStatus[]): ReceiptStatus[] => [
  ...new Set(statuses.flatMap(shownAsStatus)),
];

/** The statuses that receipts of the answer show as this one: `pending` includes `tx_mined` and `tx_mismatch`. */
const shownAsStatus = (status: ReceiptStatus): ReceiptStatus[] => [
  status,
  ...STATUSES.filter((one) => RECORD_STATUS[one] === status),
];

const exportQuery = z.object({
  format: choice(FORMAT_NAMES, 'csv').describe('CSV, or one JSON object per line. Default: `csv`.'),
  rows: choice(ROWS_NAMES, 'receipts').describe(
    'One row per receipt, per line of a receipt, per recipient of its payment, per payment, or per refund. With `payments` and `refunds`, `createdFrom` and `createdTo` are their own time. Default: `receipts`.',
  ),
  timezone: z
    .preprocess(
      (value) => (value === '' ? undefined : value),
      z
        .string()
        .refine(isTimezone, { error: 'must be a name of the time zone database, as in Europe/Berlin' })
        .meta({ examples: ['Europe/Berlin'] })
        .default('UTC'),
    )
    .describe('The zone of all times in the export, which have their offset from UTC. Default: `UTC`.'),
  times: choice(TIME_FORMS, 'iso').describe(
    'The form of times in CSV: ISO 8601 with the offset, or as spreadsheets read dates, `2026-11-22 14:00:00`. Default: `iso`.',
  ),
  order: choice(DIRECTIONS, 'desc').describe('`desc`: the newest first. Default: `desc`.'),
  ...filterShape.shape,
  statuses: filterShape.shape.statuses.describe(STATUSES_ABOUT),
});

/** An export as texts describe it: what and how, and the filters of `GET /api/receipts`. */
export function readExport(query: Readonly<Record<string, string | undefined>>): Omit<ExportRequest, 'merchant'> {
  const { format, rows, timezone, times, order } = parseInput(exportQuery, query);
  const { q, ...asked } = parseInput(filterShape, query);
  const { statuses } = asked;
  const filter = parseInput(receiptFilter, { ...query, statuses: statuses && withShownAs(statuses) });
  const chosen = times === 'spreadsheet' ? { times } : {};
  const given = { ...asked, ...chosen, q: q?.join(' ') };
  return { format, rows, timezone, ...chosen, direction: order, filter, asked: given };
}

/** The query of `GET /api/exports/receipts`. */
export const exportReader: Reader<Omit<ExportRequest, 'merchant'>> = {
  schema: exportQuery,
  read: ({ query }) => readExport(query),
};
