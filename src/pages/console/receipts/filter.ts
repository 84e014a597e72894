import { type PeriodQuery, rangeOf } from '../client/period.ts';
import type { ReceiptFilter, ReceiptStatus } from '../generated/receipts.ts';

/** The groups of receipts that a reader chooses from, with their filters. */
const SHOWN: Readonly<Record<string, { statuses?: ReceiptStatus[]; needsAttention?: boolean }>> = {
  __proto__: null as never,
  open: { statuses: ['generated', 'pending', 'tx_mined'] },
  paid: { statuses: ['paid', 'completed'] },
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
export function filterOf({ q, show = '', ...period }: ReceiptsQuery, now: Date): ReceiptFilter {
  const { from, to } = rangeOf(period, now);
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
