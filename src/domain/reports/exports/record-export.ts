import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import type { ExportRequest } from './export-receipts.ts';

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
