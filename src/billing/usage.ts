import { sql } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import { processingFee } from '../receipts/processing-fee.ts';

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

/** A refunded underpayment does not count as paid: such a receipt has no `paidToken`. */
const USAGE = query(
  'billing-usage',
  (db, $: { merchant: Wallet; since: number }) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('Receipt')
          .select((receipt) => [
            'totalCents as total',
            receipt
              .or([
                receipt('status', 'in', ['paid', 'completed']),
                receipt.and([receipt('status', '=', 'refunded'), receipt('paidToken', 'is not', null)]),
              ])
              .as('paid'),
            processingFee(receipt.ref('lineItems')).as('fee'),
          ])
          .where('merchant', '=', $.merchant)
          .where('createdAt', '>=', $.since)
          .as('made'),
      )
      .select(({ fn }) => [
        fn.countAll<number>().as('orders'),
        sql<number>`coalesce(sum(total) filter (where paid), 0)::int8`.as('monthCents'),
        sql<number>`coalesce(sum(fee) filter (where paid), 0)::int8`.as('feesCents'),
      ]),
  { computed: { orders: 'int8', monthCents: 'int8', feesCents: 'int8' }, slow: true, replica: true },
);

/** A merchant's usage in the current month so far. */
export async function readUsage(deps: Pick<Deps, 'sql' | 'clock'>, merchant: Wallet): Promise<Usage> {
  const now = deps.clock();
  const [usage] = await deps.sql.run(USAGE, { merchant, since: monthOf(now) });
  return { ...usage!, lastUpdatedAt: now };
}

/** Start of the calendar month (UTC) of a time, epoch ms. */
function monthOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
