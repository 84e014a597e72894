import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { paidSince, wasPaid } from '../../sales/receipts/paid-at.ts';
import { labelledCents, PROCESSING_FEE } from '../../sales/receipts/processing-fee.ts';

/** A merchant's usage in a calendar month (UTC). docs/integrate/statistics.md defines the sums. */
export interface Usage {
  /** Total of the receipts that were paid in the month, in cents, before refunds. */
  readonly monthCents: number;
  /** Receipts created in the month, paid or not. */
  readonly orders: number;
  /** The processing fees included in `monthCents`. */
  readonly feesCents: number;
  /** When the values were computed, epoch ms. */
  readonly lastUpdatedAt: number;
}

/** The part of a month until a time, epoch ms; the end is excluded. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const USAGE = query(
  'billing-usage',
  (_db, $: { merchant: Wallet } & Span) => sql<Omit<Usage, 'lastUpdatedAt'>>`
    select (select count(*) from receipts r
             where r.merchant = ${$.merchant} and r.created_at >= ${$.from} and r.created_at < ${$.to}) as "orders",
           coalesce(sum(r.total_cents), 0)::int8 as "monthCents",
           coalesce(sum(${labelledCents(sql`r.line_items`, PROCESSING_FEE)}), 0)::int8 as "feesCents"
      from receipts r
     where r.merchant = ${$.merchant} and ${paidSince} >= ${$.from} and ${paidSince} < ${$.to} and ${wasPaid}`,
  { computed: { orders: 'int8', monthCents: 'int8', feesCents: 'int8' }, slow: true, replica: true },
);

/** A calendar month (UTC). */
export interface Month {
  readonly year: number;
  /** 0 is January. */
  readonly month: number;
}

/** A merchant's usage in a month, or so far in the current one. */
export async function readUsage(db: Db, now: number, merchant: Wallet, month?: Month): Promise<Usage> {
  const [usage] = await db.run(USAGE, { merchant, ...spanOf(month ?? monthAt(now)) });
  return { ...usage!, lastUpdatedAt: now };
}

const spanOf = ({ year, month }: Month): Span => ({ from: Date.UTC(year, month), to: Date.UTC(year, month + 1) });

function monthAt(at: number): Month {
  const date = new Date(at);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() };
}
