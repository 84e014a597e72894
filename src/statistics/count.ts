import { sql } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import { query } from '../platform/query.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { type FollowDeps, followReceipts } from '../receipts/follow.ts';
import { defineFollower } from '../receipts/follower.ts';
import { processingFee } from '../receipts/processing-fee.ts';
import type { ReceiptKey } from '../receipts/receipt-key.ts';
import { column, firstDayOf, monthOf } from './pack.ts';

/** The statistics' position in the histories of the receipts. */
export const STATISTICS = defineFollower('ReceiptFollower', 'statistics', 2);

const DAY_MS = sql.lit(86_400_000);

interface Keys {
  readonly merchants: readonly Wallet[];
  readonly ids: readonly string[];
}

/**
 * Counts receipts as they are now, in place of what is counted of them. A receipt is paid as billing counts it: a
 * refunded underpayment has no `paid_token` and never was. Returns the days that changed, and which are empty now.
 */
const COUNT = query(
  'statistics-count',
  (_db, $: Keys) => sql<{ merchant: Wallet; day: number; status: string; token: string; empty: boolean }>`
    with wanted as (
      select distinct * from unnest(${$.merchants}::text[], ${$.ids}::text[]) w(merchant, id)
    ), now as (
      select merchant, id, (r.created_at / ${DAY_MS})::int as created_day,
             case when r.status in ('paid', 'completed') or (r.status = 'refunded' and r.paid_token is not null)
               then (coalesce(r.closed_at, r.transaction_timestamp, r.created_at) / ${DAY_MS})::int end as paid_day,
             r.status, coalesce(r.paid_token, '') as token, r.total_cents,
             coalesce(${processingFee(sql`r.line_items`)}, 0) as fee_cents, r.refunded_cents,
             case when r.pricing ->> 'currency' = 'EUR' then (r.pricing ->> 'originalTotalCents')::int8 end as euro_cents
        from wanted join receipts r using (merchant, id)
    ), before as (
      select merchant, id, c.created_day, c.paid_day, c.status, c.token, c.total_cents, c.fee_cents, c.refunded_cents,
             c.euro_cents
        from wanted join counted_receipts c using (merchant, id)
    ), fresh as (
      select * from now except select * from before
    ), stale as (
      select * from before except select * from now
    ), stored as (
      insert into counted_receipts as c (
        merchant, id, created_day, paid_day, status, token, total_cents, fee_cents, refunded_cents, euro_cents)
      select * from fresh
      on conflict (merchant, id) do update set
        created_day = excluded.created_day, paid_day = excluded.paid_day, status = excluded.status,
        token = excluded.token, total_cents = excluded.total_cents, fee_cents = excluded.fee_cents,
        refunded_cents = excluded.refunded_cents, euro_cents = excluded.euro_cents
    ), moves as (
      select 1 as sign, f.* from fresh f union all select -1, s.* from stale s
    ), euros as (
      select *, coalesce(euro_cents, 0) as euros, case when euro_cents is null then 0 else total_cents end as euro_usd
        from moves
    ), parts as (
      select merchant, created_day as day, status, token, sign as created, sign * total_cents as created_cents,
             0 as paid, 0::int8 as paid_cents, 0::int8 as fees, 0::int8 as refunded,
             sign * euros as euro_created, sign * euro_usd as euro_created_usd, 0::int8 as euro_paid,
             0::int8 as euro_paid_usd
        from euros
      union all
      select merchant, paid_day, status, token, 0, 0, sign, sign * total_cents, sign * fee_cents, sign * refunded_cents,
             0, 0, sign * euros, sign * euro_usd
        from euros where paid_day is not null
    ), summed as (
      insert into receipt_days as d (
        merchant, day, status, token, created_count, created_cents, paid_count, paid_cents, fee_cents, refunded_cents,
        euro_created_cents, euro_created_usd_cents, euro_paid_cents, euro_paid_usd_cents)
      select merchant, day, status, token, sum(created), sum(created_cents), sum(paid), sum(paid_cents), sum(fees),
             sum(refunded), sum(euro_created), sum(euro_created_usd), sum(euro_paid), sum(euro_paid_usd)
        from parts group by merchant, day, status, token
      on conflict (merchant, day, status, token) do update set
        created_count = d.created_count + excluded.created_count,
        created_cents = d.created_cents + excluded.created_cents,
        paid_count = d.paid_count + excluded.paid_count, paid_cents = d.paid_cents + excluded.paid_cents,
        fee_cents = d.fee_cents + excluded.fee_cents, refunded_cents = d.refunded_cents + excluded.refunded_cents,
        euro_created_cents = d.euro_created_cents + excluded.euro_created_cents,
        euro_created_usd_cents = d.euro_created_usd_cents + excluded.euro_created_usd_cents,
        euro_paid_cents = d.euro_paid_cents + excluded.euro_paid_cents,
        euro_paid_usd_cents = d.euro_paid_usd_cents + excluded.euro_paid_usd_cents
      returning merchant, day, status, token, created_count, paid_count
    )
    select merchant, day, status, token, created_count = 0 and paid_count = 0 as empty from summed`,
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
                                  ${column('euro_paid_usd_cents')}) end) as columns
                       from receipt_days d
                      where d.merchant = changed.merchant
                        and day >= ${firstDayOf(sql`changed.month`)} and day < ${firstDayOf(sql`changed.month + 1`)}
                      group by status, token) g) packed
    on conflict (merchant, month) do update set groups = excluded.groups where m.groups <> excluded.groups`,
);

/** Counts receipts as they are now, within a unit of work that no other count runs beside. */
async function countReceipts(uow: UnitOfWork, keys: readonly ReceiptKey[]): Promise<void> {
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
export const countStep = (deps: FollowDeps): Promise<boolean> => followReceipts(deps, STATISTICS, countReceipts);

/** Counts until nothing is left to do, or the signal is aborted. */
export async function countAll(deps: FollowDeps, signal?: AbortSignal): Promise<void> {
  while ((await countStep(deps)) && !signal?.aborted);
}
