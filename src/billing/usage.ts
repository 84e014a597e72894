import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** A merchant's usage in the current calendar month (UTC). */
export interface Usage {
  /** Total of the month's paid receipts, in cents, before refunds. */
  readonly monthCents: number;
  /** Receipts created, paid or not. */
  readonly orders: number;
  /** The processing fees included in `monthCents`. */
  readonly feesCents: number;
  /** When the values were computed, epoch ms. */
  readonly lastUpdatedAt: number;
}

/** A refunded underpayment does not count as paid: such a receipt has no `paid_token`. */
const USAGE = statement(
  'billing-usage',
  `select count(*) as orders,
          coalesce(sum(total_cents) filter (where paid), 0)::bigint as "monthCents",
          coalesce(sum(fee_cents) filter (where paid), 0)::bigint as "feesCents"
     from (select total_cents, status in ('paid', 'completed') or (status = 'refunded' and paid_token is not null) as paid,
                  (jsonb_path_query_first(line_items, '$[*] ? (@.label == "Processing Fee" && !exists(@.itemId)).priceCents'))::bigint as fee_cents
             from receipts where merchant = $1 and created_at >= $2) made`,
  { slow: true },
);

/** A merchant's usage in the current month so far. */
export async function readUsage({ sql, clock }: Pick<Deps, 'sql' | 'clock'>, merchant: Wallet): Promise<Usage> {
  const now = clock();
  const [usage] = await sql.rows<Omit<Usage, 'lastUpdatedAt'>>(USAGE, [merchant, monthOf(now)]);
  return { ...usage!, lastUpdatedAt: now };
}

/** Start of the calendar month (UTC) of a time, epoch ms. */
function monthOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
