import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { nodesOf, type PlanNode } from '../../../../test/support/plan-nodes.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { queryBuilderOf } from '../../../base/platform/postgres/database.ts';
import type { KeyedQuery, Query } from '../../../base/platform/postgres/query.ts';
import { renewEpoch } from '../../../base/platform/stream-epoch.ts';
import { OTHER, SHOP } from '../receipt-search/test/shop.ts';
import { countStep, STATISTICS } from './count.ts';
import { dayOf, INTERVALS } from './days.ts';
import { readStatistics } from './read-statistics.ts';
import { countAll } from './recount.ts';
import { type Key, openShop, type Shop } from './test/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());
afterEach(() =>
  shop.run(`truncate receipts, receipt_history, receipt_followers, receipt_days, receipt_months, counted_receipts, transfers,
      refund_transfers`),
);

/** The roll-up as the receipts say it must be. */
const EXPECTED = `
  with r as (
    select *, coalesce(paid_token, '') as token,
           coalesce((select sum((line->>'priceCents')::int8) from jsonb_array_elements(line_items) line
                      where line->>'label' = 'Processing Fee' and not line ? 'itemId'), 0) as fee,
           status in ('paid', 'completed') or (status = 'refunded' and paid_token is not null) as paid,
           coalesce((pricing->>'originalTotalCents')::int8, 0) as euros,
           case when pricing is null then 0 else total_cents end as euro_usd,
           coalesce((select sum((line->>'priceCents')::int8) from jsonb_array_elements(line_items) line
                      where line->>'label' = 'Tax'), 0) as tax,
           coalesce((select floor(sum(usd::numeric) * 100) from transfers t
                      where t.canonical and (t.merchant, t.receipt_id) = (r.merchant, r.id)), 0) as received
      from receipts r), m as (
    select r.*, greatest(received - total_cents, 0) as surplus from r)
  select merchant, day, status, token, sum(created) as created_count, sum(created_cents) as created_cents,
         sum(paid) as paid_count, sum(paid_cents) as paid_cents, sum(fees) as fee_cents, sum(refunded) as refunded_cents,
         sum(case when created = 1 then euros else 0 end) as euro_created_cents,
         sum(case when created = 1 then euro_usd else 0 end) as euro_created_usd_cents,
         sum(case when paid = 1 then euros else 0 end) as euro_paid_cents,
         sum(case when paid = 1 then euro_usd else 0 end) as euro_paid_usd_cents,
         sum(tax) as tax_cents, sum(received) as received_cents, sum(surplus) as surplus_cents,
         sum(returned) as returned_surplus_cents, sum(back) as sent_back_cents
    from (select merchant, to_timestamp(created_at / 1000) at time zone 'UTC' as at, status, token, 1 as created,
                 total_cents as created_cents, 0 as paid, 0 as paid_cents, 0 as fees, 0 as refunded, euros, euro_usd,
                 0 as tax, 0 as received, 0 as surplus, 0 as returned, 0 as back from m
          union all
          select merchant, to_timestamp(closed_at / 1000) at time zone 'UTC', status, token, 0, 0, 1, total_cents, fee,
                 refunded_cents, euros, euro_usd, tax, received, surplus, least(surplus, refunded_cents), 0
            from m where paid
          union all
          select f.merchant, to_timestamp(f.created_at / 1000) at time zone 'UTC', status, m.token, 0, 0, 0, 0, 0, 0, 0,
                 0, 0, 0, 0, 0, f.usd_cents
            from refund_transfers f join m on (m.merchant, m.id) = (f.merchant, f.receipt_id)) parts,
         lateral (select at::date - date '1970-01-01' as day) d
   group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

const KEPT = 'select * from receipt_days order by merchant, day, status, token';

const numbers = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ merchant, status, token, ...rest }) => ({
    ...{ merchant, status, token },
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, Number(value)])),
  }));

/** The packed months, as the rows of days that they contain. */
const PACKED = `
  select merchant, day::text::int, g->>0 as status, g->>1 as token, g->3->i as created_count, g->4->i as created_cents,
         g->5->i as paid_count, g->6->i as paid_cents, g->7->i as fee_cents, g->8->i as refunded_cents,
         coalesce(g->9->0->i, '0') as euro_created_cents, coalesce(g->9->1->i, '0') as euro_created_usd_cents,
         coalesce(g->9->2->i, '0') as euro_paid_cents, coalesce(g->9->3->i, '0') as euro_paid_usd_cents,
         g->10->0->i as tax_cents, g->10->1->i as received_cents, g->10->2->i as surplus_cents,
         g->10->3->i as returned_surplus_cents, g->10->4->i as sent_back_cents
    from receipt_months, json_array_elements(groups::json) g,
         lateral (select day, (n - 1)::int as i from json_array_elements(g->2) with ordinality d(day, n)) days
   where month = extract(year from date '1970-01-01' + day::text::int) * 12
                 + extract(month from date '1970-01-01' + day::text::int) - 23641
   order by merchant, 2, 3, 4`;

async function expectExact(): Promise<void> {
  expect(numbers(await shop.run(PACKED))).toEqual(numbers(await shop.run(KEPT)));
  expect(numbers(await shop.run(KEPT))).toEqual(numbers(await shop.run(EXPECTED)));
}

let orders = 0;
async function order(more: Partial<{ merchant: Wallet; itemCents: number; feeCents: number; euro: boolean }> = {}) {
  const { merchant = SHOP, itemCents = 1_000, feeCents = 50, euro = false } = more;
  const key: Key = { merchant, id: `r${++orders}` };
  await shop.order(key, { itemCents, feeCents, euro });
  return key;
}

async function pay(key: Key, token = 'USDC'): Promise<void> {
  await shop.moveTo(key, 'pending');
  await shop.moveTo(key, 'tx_mined', token);
  await shop.moveTo(key, 'paid');
}

const ACTIONS = ['order', 'move', 'move', 'move', 'refund', 'void', 'renew', 'wait', 'rate', 'count'] as const;

/** Does one action on one of the receipts. */
async function act(keys: Key[], [action, pick, n]: readonly [(typeof ACTIONS)[number], number, number]): Promise<void> {
  const key = keys[pick % keys.length];
  if (action === 'wait') shop.now += n * 60_000;
  else if (action === 'rate') shop.usdPerEuro = String(0.5 + n / 1_000);
  else if (action === 'count') await countStep(shop.deps.db);
  else if (action === 'order' || !key)
    keys.push(
      await order({ merchant: pick % 3 ? SHOP : OTHER, itemCents: n * 7, feeCents: n % 4 ? n : 0, euro: n % 2 === 0 }),
    );
  else if (action === 'move') await shop.move(key, n);
  else if (action === 'refund') await shop.refund(key, n);
  else await shop[action](key);
}

test('after any sequence of orders, payments, refunds, failures, renewals and voids the sums are exact', async () => {
  const action = fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(20), fc.integer({ min: 1, max: 2_000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 30, maxLength: 60 }), async (actions) => {
      const keys: Key[] = [];
      for (const one of actions) await act(keys, one);
      await countAll(shop.deps.db);
      await expectExact();
    }),
    { numRuns: 8 },
  );
});

test('a receipt is counted on the day of its creation, and its money on the day of its payment', async () => {
  shop.now = Date.UTC(2026, 2, 1, 23, 59);
  const [paid] = [await order({ itemCents: 995, feeCents: 5 }), await order()];
  shop.now += 2 * 60_000;
  await pay(paid);
  await shop.refund(paid, 300);
  await countAll(shop.deps.db);
  const days = { from: dayOf('2026-03-01')!, to: dayOf('2026-03-03')! };
  const { periods, total, building } = await readStatistics(shop.deps.db, SHOP, days, 'DAY');
  const none = { createdCount: 0, createdCents: 0, paidCount: 0, paidCents: 0, feeCents: 0, refundedCents: 0 };
  const money = { paidCount: 1, paidCents: 1_000, feeCents: 5, refundedCents: 300 };
  expect(periods).toMatchObject([
    {
      ...{ ...none, createdCount: 2, createdCents: 2_050 },
      groups: [
        { status: 'generated', token: null, createdCount: 1, createdCents: 1_050, paidCount: 0 },
        { status: 'paid', token: 'USDC', createdCount: 1, createdCents: 1_000, paidCount: 0, paidCents: 0 },
      ],
    },
    { ...none, ...money, groups: [{ status: 'paid', token: 'USDC', ...none, ...money }] },
    { ...none, groups: [] },
  ]);
  expect(total).toMatchObject({ ...days, ...money, createdCount: 2, createdCents: 2_050 });
  expect(total.groups).toMatchObject([{ status: 'generated' }, { status: 'paid', ...money, createdCount: 1 }]);
  expect(building).toBe(false);
});

test('weeks and months add up to the days, and no merchant sees another’s', async () => {
  for (let i = 0; i < 12; i++) {
    shop.now = Date.UTC(2026, 0, 20 + i * 5, 12);
    await pay(await order({ itemCents: 100 + i }), i % 2 ? 'USDC' : 'USDT');
    await order({ merchant: OTHER });
  }
  await countAll(shop.deps.db);
  const days = { from: dayOf('2026-01-21')!, to: dayOf('2026-03-10')! };
  for (const merchant of [SHOP, OTHER]) {
    const all = await Promise.all(INTERVALS.map((interval) => readStatistics(shop.deps.db, merchant, days, interval)));
    expect(all.map(({ total }) => total)).toEqual(all.map(() => all[0]!.total));
    for (const { periods, total } of all) {
      expect(periods.reduce((sum, { paidCents }) => sum + paidCents, 0)).toBe(total.paidCents);
      expect(periods.reduce((sum, { createdCount }) => sum + createdCount, 0)).toBe(total.createdCount);
    }
    expect(all[0]!.total).toMatchObject({ createdCount: 9, paidCount: merchant === SHOP ? 9 : 0 });
    expect(all.map(({ periods }) => periods.length)).toEqual([49, 8, 3]);
  }
});

test('statistics that did not change are the same object, and after a change so are the days of other months', async () => {
  const days = { from: dayOf('2026-01-01')!, to: dayOf('2026-02-28')! };
  const read = () => readStatistics(shop.deps.db, SHOP, days, 'DAY');
  for (const month of [0, 1]) {
    shop.now = Date.UTC(2026, month, 20);
    await order();
  }
  await countAll(shop.deps.db);
  const first = await read();
  for (const again of await Promise.all([read(), read()])) expect(again).toBe(first);
  await order();
  await countAll(shop.deps.db);
  const [second, other] = await Promise.all([read(), read()]);
  expect(other).toBe(second);
  expect([first.total.createdCount, second.total.createdCount]).toEqual([2, 3]);
  const dayIn = ({ periods }: typeof first, text: string) => periods.find(({ from }) => from === dayOf(text));
  expect(dayIn(second, '2026-01-20')).toBe(dayIn(first, '2026-01-20'));
  expect(dayIn(second, '2026-02-20')).toMatchObject({ createdCount: 2 });
  await order({ merchant: OTHER });
  await countAll(shop.deps.db);
  expect(await read()).toBe(second);
});

const MIGRATION = new URL('../../../../migrations/Migration20261122210100_receipt_months.ts', import.meta.url);

test('the migration packs the days as the worker does', async () => {
  const keys: Key[] = [];
  for (let i = 0; i < 40; i++) {
    if (i % 8 === 0) shop.now = Date.UTC(2025, 11, 15 + i * 3, 12);
    await act(keys, [ACTIONS[i % 3]!, i * 7, i * 13]);
  }
  await countAll(shop.deps.db);
  // The columns of euros came later.
  const packed = async () => {
    const months = await shop.run<{ groups: string }>('select * from receipt_months order by merchant, month');
    return months.map(({ groups, ...month }) => ({
      ...month,
      groups: (JSON.parse(groups) as unknown[][]).map((group) => group.slice(0, 9)),
    }));
  };
  const ofWorker = await packed();
  expect(ofWorker.length).toBeGreaterThan(2);
  const [, insert] = /addSql\(`(insert [^`]*)`\)/.exec(readFileSync(MIGRATION, 'utf8'))!;
  await shop.run('truncate receipt_months');
  await shop.run(insert!);
  expect(await packed()).toEqual(ofWorker);
});

test('the sums are exact with several writers and several workers at once', async () => {
  const keys = await Promise.all(Array.from({ length: 12 }, (_, i) => order({ merchant: i % 2 ? SHOP : OTHER })));
  let writing = true;
  const write = async (start: number) => {
    for (let i = start; i < start + 25; i++) await act(keys, [ACTIONS[1 + (i % 6)]!, i * 7, i * 13]);
  };
  const count = async () => {
    while (writing) await countAll(shop.deps.db);
  };
  const workers = [count(), count()];
  await Promise.all([1, 30, 60].map(write));
  writing = false;
  await Promise.all(workers);
  await countAll(shop.deps.db);
  await expectExact();
});

test('a transaction that began earlier and commits later is counted', async () => {
  await countAll(shop.deps.db);
  const late = await shop.connect();
  await late.query('begin');
  await late.query(`insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency,
      line_items, brand_name, created_at, updated_at)
    values ('${SHOP}', 'late', 'order', 'generated', 'generated', 700, 'USD', '[]', 'Shop', 5000, 5000)`);
  await late.query(`insert into receipt_history (merchant, receipt_id, seq, kind, status, actor, at)
    values ('${SHOP}', 'late', 1, 'status', 'generated', 'test', 5000)`);
  await pay(await order());
  await countAll(shop.deps.db);
  await expectExact();
  await late.query('commit');
  await countAll(shop.deps.db);
  await expectExact();
  expect(await shop.run("select from counted_receipts where id = 'late'")).toHaveLength(1);
});

test('a worker whose connection is killed within its transaction has counted nothing, and the next one all', async () => {
  await countAll(shop.deps.db);
  await pay(await order());
  const before = await shop.run('select * from receipt_followers');
  const blocker = await shop.connect();
  await blocker.query('begin');
  await blocker.query('lock table receipt_days in exclusive mode');
  const killed = expect(countStep(shop.deps.db)).rejects.toThrow();
  const waiting = 'select pid from pg_locks where not granted and relation = $1::regclass';
  await expect.poll(() => shop.run(waiting, ['receipt_days'])).toHaveLength(1);
  await shop.run(`select pg_terminate_backend(pid) from (${waiting}) w`, ['receipt_days']);
  await killed;
  await blocker.query('rollback');
  expect(await shop.run('select * from receipt_followers')).toEqual(before);
  expect(await shop.run('select from receipt_days')).toEqual([]);
  await countAll(shop.deps.db);
  await expectExact();
});

test('receipts from before the first start, and from before a restore, are counted once', async () => {
  for (let i = 0; i < 450; i++) await order({ merchant: i % 5 ? SHOP : OTHER });
  const isBuilding = async () => (await readStatistics(shop.deps.db, SHOP, { from: 0, to: 1 }, 'DAY')).building;
  expect(await isBuilding()).toBe(true);
  await countStep(shop.deps.db);
  expect(await isBuilding()).toBe(true);
  await countAll(shop.deps.db);
  expect(await isBuilding()).toBe(false);
  await expectExact();
  await renewEpoch(shop.deps.db);
  expect(await isBuilding()).toBe(true);
  await countAll(shop.deps.db);
  await STATISTICS.begin(shop.deps.db);
  await countAll(shop.deps.db);
  await expectExact();
});

test('what a server of the version before has counted is counted again by itself', async () => {
  const key = await order({ itemCents: 5_000 });
  await shop.moveTo(key, 'pending');
  await shop.moveTo(key, 'tx_mined', 'USDC', 700);
  await shop.moveTo(key, 'paid');
  await shop.refund(key, 900);
  await countAll(shop.deps.db);
  const now = numbers(await shop.run(KEPT));
  await shop.run(
    `update counted_receipts set tax_cents = 0, received_cents = 0, sent_back_days = '{}', sent_back_cents = '{}'`,
  );
  await shop.run('delete from receipt_days where paid_count = 0 and created_count = 0');
  await shop.run(`update receipt_days set tax_cents = 0, received_cents = 0, surplus_cents = 0, returned_surplus_cents = 0,
    sent_back_cents = 0`);
  await shop.run('update receipt_followers set version = 2');
  await countAll(shop.deps.db);
  expect(numbers(await shop.run(KEPT))).toEqual(now);
  await expectExact();
});

test('a year by day reads only the months of the year, by the key, and none of them before the worker has written', async () => {
  const first = dayOf('2024-01-01')!;
  await shop.run(
    `insert into receipt_months
     select '0x' || lpad(m::text, 40, '0'), month, json_build_array(
              json_build_array('completed', 'USDC', days, n, n, n, n, n, n),
              json_build_array('failed', 'USDT', days, n, n, n, n, n, n))::text
       from generate_series(1, 12) m,
            (select extract(year from at) * 12 + extract(month from at) - 23641 as month,
                    json_agg(at::date - date '1970-01-01') as days, json_agg(1) as n
               from generate_series(timestamp '2024-01-01', timestamp '2026-12-31', interval '1 day') at
              group by 1) months`,
  );
  await shop.run('analyze receipt_months');
  const merchant = `0x${'7'.padStart(40, '0')}` as Wallet;
  const plans: PlanNode[] = [];
  async function explain<Parameters extends object>(statement: Query<Parameters, unknown>, parameters: Parameters) {
    const { text, values } = statement.compile(() => queryBuilderOf(shop.deps.db.orm.em));
    const [row] = await shop.run<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${text}`,
      values(parameters),
    );
    plans.push(row!['QUERY PLAN'][0]!.Plan);
  }
  const explaining = {
    ...shop.deps.db,
    async run<Parameters extends object, Row>(statement: Query<Parameters, Row>, parameters: Parameters) {
      await explain(statement, parameters);
      return shop.deps.db.run(statement, parameters);
    },
    async one<Key extends object, Row>(statement: KeyedQuery<Key, Row>, key: Key) {
      const lists = Object.fromEntries(statement.parts.map((part) => [part, [key[part]]]));
      await explain(statement, lists as unknown as { readonly [Part in keyof Key]: readonly Key[Part][] });
      return shop.deps.db.one(statement, key);
    },
  } satisfies Db;
  const days = { from: first + 366, to: first + 730 };
  const scanned = async () => {
    plans.length = 0;
    const { total } = await readStatistics(explaining, merchant, days, 'DAY');
    expect(total).toMatchObject({ paidCount: 365 * 2, refundedCents: 365 * 2 });
    const scans = plans.flatMap(nodesOf).filter((node) => node['Node Type'].includes('Scan'));
    const ofMonths = scans.filter((node) => node['Index Name'] === 'receipt_months_pkey' && node['Actual Loops'] > 0);
    expect(ofMonths.every((node) => (node['Rows Removed by Filter'] ?? 0) === 0)).toBe(true);
    return ofMonths.map((node) => node['Actual Rows']);
  };
  await countAll(shop.deps.db);
  expect(await scanned()).toEqual([12]);
  expect(await scanned()).toEqual([]);
  await shop.run('update receipt_followers set step = step + 1');
  expect(await scanned()).toEqual([12]);
  expect(await scanned()).toEqual([]);
});
