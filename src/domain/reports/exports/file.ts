import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { type ExportDeps, timeWriter } from './column.ts';
import { columnsOf, type ExportRequest, exportReceipts, type RowsName } from './export-receipts.ts';
import { type FormatName, formatOf } from './formats.ts';

/** The media type of each format. */
export const MEDIA_TYPES = {
  csv: 'text/csv',
  jsonl: 'application/jsonl',
} as const satisfies Record<FormatName, string>;

const FILE_NAMES = {
  receipts: 'receipts',
  lines: 'receipt-lines',
  payouts: 'payouts',
  payments: 'payments',
  refunds: 'refunds',
} as const satisfies Record<RowsName, string>;

/** An export as a file. */
export interface ExportFile {
  readonly type: string;
  readonly filename: string;
  readonly parts: AsyncGenerator<string>;
  /** The last line of an export that failed; empty if the format has none. */
  fault(body: object): string;
}

/** The latest time that a name has, after now: a far one is the end of no period. */
const AHEAD_MS = 36_500 * 86_400_000;

/** The days of an export in its zone, for its name: those that it was asked for, or the day on which it is made. */
function daysOf({ filter: { createdFrom, createdTo }, timezone }: ExportRequest, now: number): string {
  const write = timeWriter(timezone);
  const day = (at: number) => write(Math.min(Math.max(at, 0), now + AHEAD_MS)).slice(0, 10);
  if (createdFrom == null && createdTo == null) return day(now);
  const last = day(createdTo ?? now);
  if (createdFrom == null) return `until-${last}`;
  const first = day(createdFrom);
  return first === last ? first : `${first}-to-${last}`;
}

/** Opens an export as a file, named by its rows and its days. It is recorded before its first part is read. */
export function openExport(deps: ExportDeps & RecordDeps, request: ExportRequest): ExportFile {
  const { format, rows } = request;
  return {
    type: `${MEDIA_TYPES[format]}; charset=utf-8`,
    filename: `${FILE_NAMES[rows]}-${daysOf(request, deps.clock())}.${format}`,
    parts: textsOf(deps, request),
    fault: (body) => formatOf(format, columnsOf(rows), request).fault(body),
  };
}

async function* textsOf(deps: ExportDeps & RecordDeps, request: ExportRequest): AsyncGenerator<string> {
  await recordExport(deps, request);
  for await (const { text } of exportReceipts(deps, request)) yield text;
}

/** What recording an export needs. */
export type RecordDeps = WritingDeps;

/** Records in the audit log that an export begins: its rows, format and order, and the filters that were given. */
export const recordExport = (
  deps: RecordDeps,
  { merchant, rows, format, timezone, direction, asked }: ExportRequest,
): Promise<void> =>
  deps.db.transaction((uow) =>
    recordAudit(deps, uow, merchant, 'receipts.exported', ['export', rows], {
      after: { format, timezone, direction, ...asked },
    }),
  );
