import type { ExportDeps } from './column.ts';
import { columnsOf, type ExportRequest, exportReceipts, type RowsName } from './export-receipts.ts';
import { type FormatName, formatOf } from './formats.ts';
import { type RecordDeps, recordExport } from './record-export.ts';
import { timeWriter } from './times.ts';

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

/** Opens an export as a file, named by its rows and the day in its zone. It is recorded before a part is read. */
export function openExport(deps: ExportDeps & RecordDeps, request: ExportRequest): ExportFile {
  const { format, rows } = request;
  const day = timeWriter(request.timezone)(deps.clock()).slice(0, 10);
  return {
    type: `${MEDIA_TYPES[format]}; charset=utf-8`,
    filename: `${FILE_NAMES[rows]}-${day}.${format}`,
    parts: textsOf(deps, request),
    fault: (body) => formatOf(format, columnsOf(rows), request).fault(body),
  };
}

async function* textsOf(deps: ExportDeps & RecordDeps, request: ExportRequest): AsyncGenerator<string> {
  await recordExport(deps, request);
  for await (const { text } of exportReceipts(deps, request)) yield text;
}
