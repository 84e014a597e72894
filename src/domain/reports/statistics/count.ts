import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../../base/core/time-zone.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { receivedCents } from '../../payments/refunds/account.ts';
import { refundedPart } from '../../payments/refunds/revenue.ts';
import { followReceipts } from '../../sales/receipts/follow.ts';
import { defineFollower } from '../../sales/receipts/follower.ts';
import { paidAt } from '../../sales/receipts/paid-at.ts';
import { labelledCents, PROCESSING_FEE, TAX } from '../../sales/receipts/processing-fee.ts';
import type { ReceiptKey } from '../../sales/receipts/read.ts';
import { column, firstDayOf, monthOf } from './pack.ts';

/** The statistics' position in the histories of the receipts. */
export const STATISTICS = defineFollower('ReceiptFollower', 'statistics', 3);

/** The day of a time, epoch ms, by the clocks of the merchant's zone `z`. */
const dayOf = (at: RawBuilder<unknown>): RawBuilder<number> =>
  sql`((${at} + coalesce(z.offsets[width_bucket(${at}, z.starts)], 0)) / ${sql.lit(DAY_MS)})::int`;

interface Keys {
  readonly merchants: readonly Wallet[];
  readonly ids: readonly string[];
}

/** What is counted of a receipt, in the order of `now`. */
const COUNTED = [
  ...['created_day', 'paid_day', 'status', 'token', 'total_cents', 'fee_cents', 'refunded_cents', 'euro_cents'],
  ...['tax_cents', 'received_cents', 'sent_back_days', 'sent_back_cents'],
];
const counted = sql.raw(COUNTED.join(', '));
const replaced = sql.raw(COUNTED.map((name) => `${name} = excluded.${name}`).join(', '));

/** The sums of a day, in the order of `summed`. */
const SUMS = [
  ...['created_count', 'created_cents', 'paid_count', 'paid_cents', 'fee_cents', 'refunded_cents'],
  ...['euro_created_cents', 'euro_created_usd_cents', 'euro_paid_cents', 'euro_paid_usd_cents'],
  ...['tax_cents', 'received_cents', 'surplus_cents', 'returned_surplus_cents', 'sent_back_cents'],
];
const sums = sql.raw(SUMS.join(', '));
const added = sql.raw(SUMS.map((name) => `${name} = d.${name} + excluded.${name}`).join(', '));

/**
 * Counts receipts as they are now, in place of what is counted of them: their totals on the day of creation, their
 * money on the day of payment, and what was sent back also on the day of each refund, in days of the merchant's zone.
 * docs/integrate/statistics.md defines the sums. Returns the days that changed, and which are empty now.
 */
const COUNT = query(
  'statistics-count',
  (_db, $: Keys) => sql<{ merchant: Wallet; day: number; status: string; token: string; empty: boolean }>`
    with wanted as (
      select distinct * from unnest(${$.merchants}::text[], ${$.ids}::text[]) w(merchant, id)
    ), now as (
      select merchant, id, ${dayOf(sql`r.created_at`)} as created_day, ${dayOf(sql`paid.at`)} as paid_day,
             r.status, coalesce(r.paid_token, '') as token, r.total_cents,
             coalesce(${labelledCents(sql`r.line_items`, PROCESSING_FEE)}, 0) as fee_cents, r.refunded_cents,
             case when r.pricing ->> 'currency' = 'EUR' then (r.pricing ->> 'originalTotalCents')::int8 end
               as euro_cents,
             coalesce(${labelledCents(sql`r.line_items`, TAX)}, 0) as tax_cents,
             case when paid.at is null then 0 else ${receivedCents} end as received_cents,
             back.sent_back_days, back.sent_back_cents
        from wanted join receipts r using (merchant, id) left join counted_zones z using (merchant),
             lateral (select ${paidAt} as at) paid,
             lateral (
               select coalesce(array_agg(day order by day), '{}') as sent_back_days,
                      coalesce(array_agg(cents order by day), '{}') as sent_back_cents
                 from (select ${dayOf(sql`f.created_at`)} as day, coalesce(sum(${refundedPart('f')}), 0)::int8 as cents
                         from refund_transfers f
                        where f.merchant = r.merchant and f.receipt_id = r.id and r.refunded_cents > 0
                        group by 1) refunds) back
    ), before as (
      select merchant, id, ${counted} from wanted join counted_receipts using (merchant, id)
    ), fresh as (
      select * from now except select * from before
    ), stale as (
      select * from before except select * from now
    ), stored as (
      insert into counted_receipts (merchant, id, ${counted})
      select * from fresh
      on conflict (merchant, id) do update set ${replaced}
    ), moves as (
      select 1 as sign, f.* from fresh f union all select -1, s.* from stale s
    ), weighed as (
      select *, coalesce(euro_cents, 0) as euros, case when euro_cents is null then 0 else total_cents end as euro_usd,
             greatest(0, received_cents - total_cents) as surplus
        from moves
    ), parts as (
      select merchant, created_day as day, status, token, sign as created, sign * total_cents as created_cents,
             0 as paid, 0::int8 as paid_cents, 0::int8 as fees, 0::int8 as refunded,
             sign * euros as euro_created, sign * euro_usd as euro_created_usd, 0::int8 as euro_paid,
             0::int8 as euro_paid_usd, 0::int8 as tax, 0::int8 as received, 0::int8 as surplus,
             0::int8 as returned_surplus, 0::int8 as sent_back
        from weighed
      union all
      select merchant, paid_day, status, token, 0, 0, sign, sign * total_cents, sign * fee_cents, sign * refunded_cents,
             0, 0, sign * euros, sign * euro_usd, sign * tax_cents, sign * received_cents, sign * surplus,
             sign * least(surplus, refunded_cents), 0
        from weighed where paid_day is not null
      union all
      select merchant, back.day, status, token, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sign * back.cents
        from weighed, unnest(sent_back_days, sent_back_cents) back(day, cents)
    ), summed as (
      insert into receipt_days as d (merchant, day, status, token, ${sums})
      select merchant, day, status, token, sum(created), sum(created_cents), sum(paid), sum(paid_cents), sum(fees),
             sum(refunded), sum(euro_created), sum(euro_created_usd), sum(euro_paid), sum(euro_paid_usd), sum(tax),
             sum(received), sum(surplus), sum(returned_surplus), sum(sent_back)
        from parts group by merchant, day, status, token
      on conflict (merchant, day, status, token) do update set ${added}
      returning merchant, day, status, token, created_count, paid_count, sent_back_cents
    )
    select merchant, day, status, token, created_count = 0 and paid_count = 0 and sent_back_cents = 0 as empty
      from summed`,
  { computed: { merchant: 'text', day: 'int4', status: 'text', token: 'text', empty: 'bool' } },
);

/** Most receipts pass through several statuses. Their empty rows would make every read slower. */
const FORGET = query(
  'statistics-forget',
  (
    _db,
    $: {
      merchants: readonly Wallet[];
      days: readonly number[];
      statuses: readonly string[];
      tokens: readonly string[];
    },
  ) => sql<object>`
    delete from receipt_days d
     using unnest(${$.merchants}::text[], ${$.days}::int[], ${$.statuses}::text[], ${$.tokens}::text[])
           e(merchant, day, status, token)
     where (d.merchant, d.day, d.status, d.token) = (e.merchant, e.day, e.status, e.token)`,
);

/** Packs the days of these months again, in place of what is packed of them. */
const PACK = query(
  'statistics-pack',
  (_db, $: { merchants: readonly Wallet[]; days: readonly number[] }) => sql<object>`
    insert into receipt_months as m (merchant, month, groups)
    select changed.merchant, changed.month, coalesce(packed.groups, '[]')
      from (select distinct merchant, ${monthOf(sql`day`)} as month
              from unnest(${$.merchants}::text[], ${$.days}::int[]) c(merchant, day)) changed,
           lateral (
             select json_agg(columns order by status collate "C", token collate "C")::text as groups
               from (select status, token,
                            json_build_array(status, token, ${column('day')}, ${column('created_count')},
                              ${column('created_cents')}, ${column('paid_count')}, ${column('paid_cents')},
                              ${column('fee_cents')}, ${column('refunded_cents')},
                              case when bool_or(euro_created_usd_cents <> 0 or euro_paid_usd_cents <> 0)
                                then json_build_array(${column('euro_created_cents')},
                                  ${column('euro_created_usd_cents')}, ${column('euro_paid_cents')},
                                  ${column('euro_paid_usd_cents')}) end,
                              json_build_array(${column('tax_cents')}, ${column('received_cents')},
                                ${column('surplus_cents')}, ${column('returned_surplus_cents')},
                                ${column('sent_back_cents')})) as columns
                       from receipt_days d
                      where d.merchant = changed.merchant
                        and day >= ${firstDayOf(sql`changed.month`)} and day < ${firstDayOf(sql`changed.month + 1`)}
                      group by status, token) g) packed
    on conflict (merchant, month) do update set groups = excluded.groups where m.groups <> excluded.groups`,
);

/** Counts receipts as they are now, within a unit of work that no other count runs beside. */
export async function countReceipts(uow: UnitOfWork, keys: readonly ReceiptKey[]): Promise<void> {
  const changed = await uow.run(COUNT, {
    merchants: keys.map(({ merchant }) => merchant),
    ids: keys.map(({ receiptId }) => receiptId),
  });
  if (changed.length === 0) return;
  const empty = changed.filter((row) => row.empty);
  if (empty.length > 0)
    await uow.run(FORGET, {
      merchants: empty.map(({ merchant }) => merchant),
      days: empty.map(({ day }) => day),
      statuses: empty.map(({ status }) => status),
      tokens: empty.map(({ token }) => token),
    });
  await uow.run(PACK, {
    merchants: changed.map(({ merchant }) => merchant),
    days: changed.map(({ day }) => day),
  });
}

/** Counts the next receipts that have changed. Returns whether more wait. */
export const countStep = (db: Db): Promise<boolean> => followReceipts(db, STATISTICS, countReceipts);
