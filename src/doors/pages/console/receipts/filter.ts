import { type PeriodQuery, rangeOf, type ShopTime } from '../client/shop-zone.ts';
import type { ReceiptFilter, ReceiptStatus } from '../generated/receipts.ts';

/** The groups of receipts that a reader chooses from, with their filters. */
const SHOWN: Readonly<Record<string, { statuses?: ReceiptStatus[]; needsAttention?: boolean }>> = {
  __proto__: null as never,
  open: { statuses: ['generated', 'pending', 'tx_mined', 'tx_mismatch'] },
  paid: { statuses: ['paid', 'completed'] },
  moving: { statuses: ['tx_mined', 'paid'] },
  attention: { needsAttention: true },
  failed: { statuses: ['failed'] },
  refunded: { statuses: ['refunded'] },
};

export const SHOWN_GROUPS = Object.keys(SHOWN);

/** What the address of a list of receipts says. */
export interface ReceiptsQuery extends PeriodQuery {
  readonly q?: string;
  readonly show?: string;
}

/** The filter of the API for an address. What is unknown in it does not filter. */
export function filterOf({ q, show = '', ...period }: ReceiptsQuery, time: ShopTime): ReceiptFilter {
  const { from, to } = rangeOf(period, time);
  return {
    ...(q?.trim() ? { q: q.trim() } : {}),
    ...SHOWN[show],
    ...(from === undefined ? {} : { createdFrom: from }),
    ...(to === undefined ? {} : { createdTo: to }),
  };
}

/** Whether the address filters anything. */
export const isFiltered = (query: ReceiptsQuery): boolean =>
  Boolean(query.q?.trim() || SHOWN[query.show ?? ''] || query.period);

/** The kinds of rows and the formats of an export. */
export const EXPORT_ROWS = ['receipts', 'lines', 'payouts', 'payments', 'refunds'] as const;
export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;

/** How a list is exported. */
export interface ExportChoice {
  readonly rows: (typeof EXPORT_ROWS)[number];
  readonly format: (typeof EXPORT_FORMATS)[number];
  /** An IANA name. */
  readonly timezone: string;
  /** Times that a spreadsheet reads as dates, in CSV. */
  readonly times?: 'spreadsheet';
}

/** The address of the export of what the filter shows. */
export function exportUrl(filter: ReceiptFilter, choice: ExportChoice): string {
  const { receiptIds, ...others } = filter;
  const named = receiptIds && { receiptIds: receiptIds.join(' ') };
  const given = Object.entries({ ...choice, ...others, ...named }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return `/api/exports/receipts?${new URLSearchParams(given)}`;
}
