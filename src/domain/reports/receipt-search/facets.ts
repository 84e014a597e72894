import { RECEIPT, type ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';

export const ORIGINS = ['order', 'receipt', 'terminal', 'charge'] as const satisfies readonly Receipt['origin'][];
export const CURRENCIES = ['USD', 'EUR'] as const satisfies readonly Receipt['currency'][];

type Faceted = Pick<Receipt, 'status' | 'origin' | 'currency'>;

/**
 * Status, origin and currency of a receipt in one text. The three have few values, so one index over the text serves
 * any combination of their filters: it is read once for each text that matches.
 */
export const facetOf = ({ status, origin, currency }: Faceted): string => `${status}/${origin}/${currency}`;

/** The values that each part may have; undefined for any. */
interface FacetFilter {
  readonly statuses?: readonly ReceiptStatus[];
  readonly origins?: readonly Faceted['origin'][];
  readonly currencies?: readonly Faceted['currency'][];
}

/** Every facet that matches. */
export const facetsOf = ({
  statuses = RECEIPT.statuses,
  origins = ORIGINS,
  currencies = CURRENCIES,
}: FacetFilter): string[] =>
  statuses.flatMap((status) =>
    origins.flatMap((origin) => currencies.map((currency) => facetOf({ status, origin, currency }))),
  );
