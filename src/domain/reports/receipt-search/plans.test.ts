import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodesOf, type PlanNode } from '../../../../test/support/plan-nodes.ts';
import { entities } from '../../../app/entities.ts';
import { sameForAll } from '../../../base/core/finality.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { createOrm, type Orm } from '../../../base/platform/orm.ts';
import { queryBuilderOf } from '../../../base/platform/postgres/database.ts';
import type { Query } from '../../../base/platform/postgres/query.ts';
import { type ReceiptFilter, receiptFilter } from './filter.input.ts';
import { openSearch } from './find-receipts.ts';
import { NEWEST } from './order.ts';
import { PARTS_INDEX, PARTS_INDEX_DEFINITION } from './parts.ts';
import { COLLECT_MAX } from './plan.ts';
import { openShop, SHOP, type Shop } from './test/shop.ts';
import { walkReceipts } from './walk-receipts.ts';

/** Of the merchant under test; 1,000,000 with `npm run long -- search`. */
const COUNT = Number(process.env.SEARCH_RECEIPTS ?? 26_000);
/** Of other merchants. */
const OTHERS = Math.min(COUNT, 100_000);
/** How often a page is read for its time. */
const TIMED = Number(process.env.SEARCH_TIMES ?? 0);
const PAGE = 51;
const NOW = 100_000_000_000;
/** Facets are read one by one. */
const FACETS_MAX = 64;
/** A merchant whose receipts came after the statistics of the tables. */
const NEWCOMER = `0x${'4'.repeat(40)}` as Wallet;
const NEWCOMER_COUNT = 1_500;

let shop: Shop;
let orm: Orm;
let client: pg.Client;
beforeAll(async () => {
  shop = await openShop();
  orm = await createOrm(shop.databaseUrl, entities);
  client = await shop.connect();
  await fill();
});
afterAll(async () => {
  await orm.close();
  await shop.close();
});

/** Search rows of several merchants, as the indexer writes them, with frequent and rare values. */
async function fill(): Promise<void> {
  await client.query("set maintenance_work_mem = '1GB'; set statement_timeout = 0");
  const merchant = `case when n % 2 = 0 or n > ${OTHERS * 2} then '${SHOP}' else '0x' || lpad((n % 7)::text, 40, '3') end`;
  await client.query(
    `create table made as select ${merchant} as merchant, 'inv-' || n as id, 1000000 + n * 100000::bigint as created_at,
       case when n % 1000 = 0 then 'refunded' when n % 3 = 0 then 'pending' else 'completed' end
         || '/order/' || case when n % 5 = 0 then 'EUR' else 'USD' end as facet,
       (n * 37) % 50000 as total_cents, case when n % 3 > 0 then 1000500 + n * 100000::bigint end as paid_at,
       n % 2500 = 0 as attention, 'cart-' || n % 9000 as reference, 'user' || n % 4000 || '@shop.test' as email,
       '0x' || lpad(to_hex(n % 5000), 40, '0') as wallet, 'sku-' || n % 4 as sku, 'sub_' || n % 50 as subscription,
       'given' || n % 300 as given, 'family' || n % 7000 as family, 'door' || n % 2500 as note
     from generate_series(1, ${COUNT + OTHERS}) n`,
  );
  await client.query(
    `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items,
       brand_name, created_at, updated_at)
     select merchant, id, 'order', split_part(facet, '/', 1), '', total_cents, 'USD', '[]', 'Shop', created_at, 0
       from made`,
  );
  await client.query(
    `insert into receipt_search select merchant, id, 1, created_at, facet, total_cents, paid_at, null, attention,
       reference, email, wallet, subscription, 'plan_1', array['0x' || md5(id) || md5(id)], array[sku],
       array[id, reference, email, wallet, sku, subscription, 'plan_1', '0x' || md5(id) || md5(id),
         given || ' ' || family, given, family, 'leave at ' || note, 'leave', 'at', note] from made`,
  );
  await client.query('alter table receipt_terms drop constraint receipt_terms_pkey');
  await client.query(`drop index ${PARTS_INDEX}`);
  await client.query(
    `insert into receipt_terms select merchant, entry, created_at, id from receipt_search,
       unnest(array(select '=' || term from unnest(terms) term)
         || array['^' || left(id, 4), '^' || left(reference, 4), '^' || left(buyer_email, 4),
                  '^' || left(buyer_email, 8), '^' || left(reference, 8)]) entry`,
  );
  await client.query('alter table receipt_terms add primary key (merchant, entry, created_at, receipt_id)');
  await client.query(`create index ${PARTS_INDEX} ${PARTS_INDEX_DEFINITION}`);
  await client.query('vacuum analyze receipts, receipt_search, receipt_terms');
  for (const table of ['receipts', 'receipt_search', 'receipt_terms']) {
    await client.query(`create temporary table copied as
      select * from ${table} where merchant = '${SHOP}' and created_at <= 1000000 + ${NEWCOMER_COUNT} * 200000::bigint`);
    await client.query(`update copied set merchant = '${NEWCOMER}'`);
    await client.query(`insert into ${table} select * from copied`);
    await client.query('drop table copied');
  }
}

/** A statement that a search ran, with its values. */
interface Ran {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements as a search runs them, recorded. */
function recording(): { db: Db; ran: Ran[] } {
  const ran: Ran[] = [];
  const run = <Parameters extends object, Row>(query: Query<Parameters, Row>, parameters: Parameters) => {
    const { text, values } = query.compile(() => queryBuilderOf(orm.em));
    ran.push({ name: query.name, text, values: values(parameters) });
    return shop.db.run(query, parameters);
  };
  return { ran, db: { ...shop.db, run } };
}

/** The plan of a prepared statement, once made for its values and once for any. */
async function plansOf({ text, values }: Ran): Promise<PlanNode[]> {
  const plans: PlanNode[] = [];
  await client.query(`prepare explained as ${text}`);
  const literals = values.map((value) => (Array.isArray(value) ? arrayLiteral(value) : literal(value))).join(', ');
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`set plan_cache_mode = ${mode}`);
    const { rows } = await client.query(`explain (analyze, format json) execute explained(${literals})`);
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
  }
  await client.query('deallocate explained');
  return plans;
}
const literal = (value: unknown) => (value === null || value === undefined ? 'null' : pg.escapeLiteral(String(value)));
const arrayLiteral = (list: readonly unknown[]) =>
  list.every((one) => typeof one === 'number') ? literal(`{${list}}`) : `array[${list.map(literal)}]::text[]`;

/** Few candidates are sorted; of each facet, a page. */
function sortMax({ name, text }: Ran): number {
  if (text.includes('f(facet)')) return PAGE * FACETS_MAX;
  // A receipt may be found twice by a word.
  if (name.includes('parts')) return 2 * COLLECT_MAX;
  return name.startsWith('receipts-collect') ? COLLECT_MAX : PAGE;
}

const FILTERS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['no filter', {}],
  ['statuses', { statuses: ['pending', 'refunded'] }],
  ['a rare status', { statuses: ['refunded'] }],
  ['origin', { origin: 'order' }],
  ['currency', { currency: 'EUR' }],
  ['createdFrom and createdTo', { createdFrom: 1_000_000_000, createdTo: 3_000_000_000 }],
  ['paidFrom and paidTo', { paidFrom: 1_000_000_000, paidTo: 3_000_000_000 }],
  ['a narrow range of paidAt', { paidFrom: 1_000_000_000, paidTo: 1_010_000_000 }],
  ['totalMin and totalMax', { totalMin: 100, totalMax: 400 }],
  ['an exact total', { totalMin: 100, totalMax: 100 }],
  ['transactionId', { transactionId: 'cart-18' }],
  ['buyerEmail', { buyerEmail: 'user18@shop.test' }],
  ['buyerWallet', { buyerWallet: `0x${'12'.padStart(40, '0')}` }],
  ['transactionHash', { transactionHash: `0x${'ab'.repeat(32)}` }],
  ['sku', { sku: 'sku-2' }],
  ['planId', { planId: 'plan_1' }],
  ['subscriptionId', { subscriptionId: 'sub_2' }],
  ['needsAttention', { needsAttention: true }],
  ['q, a whole value', { q: 'user18@shop.test' }],
  ['q, a rare beginning', { q: 'cart-889' }],
  ['q, a frequent beginning', { q: 'user' }],
  ['q, a frequent beginning longer than the entries', { q: 'cart-1' }],
  ['q, a beginning of an id', { q: '0x0' }],
  ['q, a rare part', { q: 'art-889' }],
  ['q, a frequent part', { q: 'hop.test' }],
  ['q, a part of a name', { q: 'amily88' }],
  ['q, a part of a note', { q: 'oor24' }],
  ['q, an amount', { q: '$3.70' }],
  ['q, two words', { q: 'cart- user1' }],
  ['q, a part that nothing has', { q: 'nothing-has-this' }],
  ['q, a part and an amount', { q: 'shop.test 1.11' }],
  ['some receipts', { receiptIds: ['cart1', 'cart18', 'none'] }],
  ['two filters', { statuses: ['refunded'], sku: 'sku-0' }],
];

const searching = (db: Db) => ({
  db,
  chain: { chainId: 1, confirmations: 1, finality: sameForAll(1) } as never,
  clock: () => NOW,
});

/** Reads the first page several times, and prints how long it takes. */
async function printTimes(name: string, filter: ReceiptFilter): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < TIMED; n++) {
    const started = performance.now();
    await (await openSearch(searching(shop.db), SHOP, filter, NEWEST)).read({ limit: PAGE });
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (TIMED - 1))]?.toFixed(1);
  if (TIMED > 0) console.log(`search: ${COUNT} receipts: ${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}

/** Parts of the plans that read a whole table, or sort or read more than a page needs. */
async function faultsOf(ran: readonly Ran[], page: number): Promise<string[]> {
  const faults: string[] = [];
  for (const one of ran) {
    if (one.text.includes('chain_blocks')) continue;
    for (const plan of await plansOf(one))
      for (const node of nodesOf(plan)) {
        const rows = node['Actual Rows'] * node['Actual Loops'] + (node['Rows Removed by Filter'] ?? 0);
        const isSort = node['Node Type'].includes('Sort');
        const isTooMany =
          rows > Math.max(COLLECT_MAX * 2, (page * COUNT) / COLLECT_MAX) ||
          (isSort && rows > Math.max(page, sortMax(one)));
        if (node['Node Type'] === 'Seq Scan' || isTooMany) faults.push(`${node['Node Type']}: ${one.text}`);
      }
  }
  return faults;
}

describe('a page reads an index in its order, and neither a whole table nor all that matches', () => {
  test.each(FILTERS)('%s', async (name, given) => {
    const { db, ran } = recording();
    const filter = parseInput(receiptFilter, given);
    await printTimes(name, filter);
    const search = await openSearch(searching(db), SHOP, filter, NEWEST);
    const first = await search.read({ limit: PAGE });
    const last = first.at(-1);
    if (last) await search.read({ limit: PAGE, after: [last.key, last.id] });
    expect(await faultsOf(ran, PAGE)).toEqual([]);
  });
});

describe('each candidate of a merchant that the statistics do not know is looked up by its key', () => {
  test.each(FILTERS)('%s', async (_, filter) => {
    const { db, ran } = recording();
    const search = await openSearch(searching(db), NEWCOMER, parseInput(receiptFilter, filter), NEWEST);
    await search.read({ limit: PAGE });
    const indexes: (string | undefined)[] = [];
    for (const one of ran)
      for (const plan of await plansOf(one))
        for (const node of nodesOf(plan))
          if (node['Relation Name'] === 'receipt_search' && node['Actual Loops'] > FACETS_MAX)
            indexes.push(node['Index Name']);
    expect(indexes.filter((name) => name !== 'receipt_search_pkey')).toEqual([]);
  });
});

describe('a step of a walk reads a bounded number of receipts by an index', () => {
  test.each(FILTERS)('%s', async (_, conditions) => {
    const { db, ran } = recording();
    const filter = parseInput(receiptFilter, conditions);
    const steps = walkReceipts(searching(db), { merchant: SHOP, filter, direction: 'asc', size: 1_000 });
    await steps.next();
    await steps.next();
    await steps.return(undefined);
    expect(await faultsOf(ran, 1_000)).toEqual([]);
  });
});
